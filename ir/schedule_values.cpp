// Which cells are read from outside a group, and which scalars of its cells are the same in all of them.
#include "ir/schedule.h"

#include "ir/dependences.h"
#include "ir/reachable.h"
#include "ir/visit.h"

#include <algorithm>
#include <unordered_set>

namespace wave::ir {

namespace {

// Can `value` be evaluated in an activation of `frame`, before anything of `event` is known?
class KnownBefore {
 public:
  KnownBefore(const System& system, EventId event) : system_(system), frame_(system[event].frame), event_(event) {}

  bool operator()(ValueId value, const FreeBinders& binders) const {
    return binders.of(value).empty() && is_visible(value) && events_read(system_, {value}).count(event_) == 0;
  }

 private:
  bool is_visible(ValueId start) const {
    return !any_reachable(system_, start, [&](const Node& node) {
      FrameId needed = System::root_frame;
      if (const auto* n = std::get_if<Parameter>(&node)) needed = system_[n->parameter].frame;
      if (const auto* n = std::get_if<Reference>(&node)) needed = system_[n->definition].frame;
      if (const auto* n = std::get_if<Call>(&node)) needed = system_[n->frame].parent;
      if (const auto* n = std::get_if<Read>(&node)) needed = system_[n->event].frame;
      return !encloses(system_, needed, frame_);
    });
  }

  const System& system_;
  FrameId frame_;
  EventId event_;
};

class PatternCollector {
 public:
  PatternCollector(const System& system, EventId event) : system_(system), event_(event), binders_(system) {}

  // `is_outside`: not in a cell of the event's own group.
  void walk(ValueId start, bool is_outside) {
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!seen_[is_outside].insert(value).second) continue;
      const Node& node = system_[value].node;
      const auto* read = std::get_if<Read>(&node);
      if (read && read->event == event_) add(pattern(*read));
      const auto* neighbour = std::get_if<Neighbour>(&node);
      if (neighbour && neighbour->event == event_ && is_outside) add(everything());
      for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
    }
  }
  void add_everything() { add(everything()); }

  std::vector<ReadPattern> found;

 private:
  ReadPattern everything() const { return {std::vector<std::optional<ValueId>>(system_[system_[event_].space].axes.size())}; }

  ReadPattern pattern(const Read& read) const {
    const KnownBefore is_known(system_, event_);
    ReadPattern result;
    for (const ValueId index : read.indices) {
      result.axes.push_back(is_known(index, binders_) ? std::optional(index) : std::nullopt);
    }
    return result;
  }

  void add(ReadPattern pattern) {
    const auto is_same = [&](const ReadPattern& other) { return other.axes == pattern.axes; };
    if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(std::move(pattern));
  }

  const System& system_;
  EventId event_;
  FreeBinders binders_;
  std::unordered_set<ValueId> seen_[2];
};

class HoistCollector {
 public:
  HoistCollector(const System& system, const EventGroup& group, const FreeBinders& binders)
      : system_(system), group_(group), binders_(binders) {}

  void add(EventId id) {
    const Event& event = system_[id];
    if (event.general() || group_.reads_itself) return;
    bool first_cell_needs_else = true;   // its sources are all off the space
    for (const Constraint& constraint : event.constraints) {
      first_cell_needs_else = first_cell_needs_else && constraint.source == id;
      if (constraint.guard.valid()) continue;
      const bool is_constant = !constraint.source.valid();
      add(constraint.weights, {{}, is_constant ? std::nullopt : std::optional(constraint.offset), id, constraint.place});
    }
    if (first_cell_needs_else) add(event.otherwise, {{}, std::nullopt, id, event.place});
  }

  std::vector<Hoisted> found;

 private:
  void add(const std::vector<ValueId>& weights, Hoisted hoisted) {
    for (const ValueId weight : weights) {
      if (may_be_absent(system_, weight)) return;   // what follows may not be needed
      if (!binders_.of(weight).empty()) continue;
      hoisted.value = weight;
      const auto is_same = [&](const Hoisted& other) { return other.value == weight && other.offset == hoisted.offset; };
      if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(hoisted);
    }
  }

  const System& system_;
  const EventGroup& group_;
  const FreeBinders& binders_;
};

}  // namespace

std::vector<ReadPattern> read_patterns(const System& system, EventId event) {
  PatternCollector collector(system, event);
  for (const Definition& definition : system.definitions) {
    if (definition.body.valid()) collector.walk(definition.body, true);
  }
  for (const Root& root : system.roots) {
    for_each_value_of_root(root, [&](ValueId value) { collector.walk(value, true); });
  }
  for (const Space& space : system.spaces) {
    for (const Axis& axis : space.axes) collector.walk(axis.first, true), collector.walk(axis.last, true);
  }
  EventGroup own;
  for (EventGroup& group : event_groups(system)) {
    if (std::find(group.events.begin(), group.events.end(), event) != group.events.end()) own = std::move(group);
  }
  for (std::uint32_t i = 0; i < system.events.size(); ++i) {
    const EventId other{i};
    const bool is_outside = std::find(own.events.begin(), own.events.end(), other) == own.events.end();
    for_each_value(system[other], [&](ValueId value) { collector.walk(value, is_outside); });
    for (const Constraint& constraint : system[other].constraints) {
      if (is_outside && constraint.source == event) collector.add_everything();
    }
  }
  return std::move(collector.found);
}

bool may_be_absent(const System& system, ValueId start) {
  return any_reachable(system, start, [](const Node& node) {
    if (std::holds_alternative<Neighbour>(node)) return true;
    if (const auto* read = std::get_if<Read>(&node); read && !read->site.valid()) return true;
    if (const auto* reduce = std::get_if<Reduce>(&node)) {
      const bool is_extremum = reduce->kind == ReduceKind::maximum || reduce->kind == ReduceKind::minimum ||
                               reduce->kind == ReduceKind::arg_min || reduce->kind == ReduceKind::arg_max;
      if (is_extremum) return true;
    }
    return false;
  });
}

std::vector<Hoisted> hoisted(const System& system, const EventGroup& group, const FreeBinders& binders) {
  HoistCollector collector(system, group, binders);
  for (const EventId event : group.events) collector.add(event);
  return std::move(collector.found);
}

}  // namespace wave::ir
