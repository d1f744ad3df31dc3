// Finds the cells that are read from outside a group, and the scalars that are the same in all its cells.
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/schedule.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <algorithm>
#include <unordered_set>

namespace wave::ir {

namespace {

// Can `value` be evaluated in an activation of the event's frame, before anything of the event is known?
bool is_known_before(const System& system, const FreeBinders& binders, EventId event, ValueId value) {
  const FrameId frame = system[event].frame;
  const bool is_visible = !any_reachable(system, value, [&](const Node& node) {
    FrameId needed = System::root_frame;
    if (const auto* n = std::get_if<Parameter>(&node)) needed = system[n->parameter].frame;
    if (const auto* n = std::get_if<Reference>(&node)) needed = system[n->definition].frame;
    if (const auto* n = std::get_if<Call>(&node)) needed = system[n->frame].parent;
    if (const auto* n = std::get_if<Read>(&node)) needed = system[n->event].frame;
    return !encloses(system, needed, frame);
  });
  return binders.of(value).empty() && is_visible && events_read(system, {value}).count(event) == 0;
}

// What is read of every event, in one look at the system.
class PatternCollector {
 public:
  explicit PatternCollector(const System& system) : found(system.events.size()), system_(system), binders_(system) {}

  void run() {
    for (const Definition& definition : system_.definitions) {
      if (definition.body.valid()) walk(definition.body);
    }
    for (const Root& root : system_.roots) for_each_value_of_root(root, [&](ValueId value) { walk(value); });
    for (const Space& space : system_.spaces) {
      for (const Axis& axis : space.axes) walk(axis.first), walk(axis.last);
    }
    for (const EventGroup& group : event_groups(system_)) {
      own_ = group.events;
      seen_.clear();
      for (const EventId event : own_) walk(system_[event]);
    }
  }

  std::vector<std::vector<ReadPattern>> found;

 private:
  void walk(const Event& event) {
    for_each_value(event, [&](ValueId value) { walk(value); });
    for (const Constraint& constraint : event.constraints) {
      if (constraint.source.valid() && !is_own(constraint.source))
        add(constraint.source, everything(constraint.source));
    }
  }

  void walk(ValueId start) {
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!seen_.insert(value).second) continue;
      const Node& node = system_[value].node;
      if (const auto* read = std::get_if<Read>(&node)) add(read->event, pattern(*read));
      const auto* neighbour = std::get_if<Neighbour>(&node);
      if (neighbour && !is_own(neighbour->event)) add(neighbour->event, everything(neighbour->event));
      for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
    }
  }

  // Of the group that is being looked at.
  bool is_own(EventId event) const { return std::find(own_.begin(), own_.end(), event) != own_.end(); }

  ReadPattern everything(EventId event) const {
    return {std::vector<std::optional<ValueId>>(system_[system_[event].space].axes.size())};
  }

  ReadPattern pattern(const Read& read) const {
    ReadPattern result;
    for (const ValueId index : read.indices) {
      result.axes.push_back(is_known_before(system_, binders_, read.event, index) ? std::optional(index)
                                                                                  : std::nullopt);
    }
    return result;
  }

  void add(EventId event, ReadPattern pattern) {
    std::vector<ReadPattern>& patterns = found[event.index];
    const auto is_same = [&](const ReadPattern& other) { return other.axes == pattern.axes; };
    if (std::none_of(patterns.begin(), patterns.end(), is_same)) patterns.push_back(std::move(pattern));
  }

  const System& system_;
  const FreeBinders binders_;
  std::vector<EventId> own_;
  std::unordered_set<ValueId> seen_;
};

class HoistCollector {
 public:
  HoistCollector(const System& system, const EventGroup& group, const FreeBinders& binders)
      : system_(system), group_(group), binders_(binders) {}

  void add(EventId id) {
    const Event& event = system_[id];
    if (event.general() || group_.reads_itself) return;
    bool first_cell_needs_else = true;  // its sources are all off the space
    for (const Constraint& constraint : event.constraints) {
      first_cell_needs_else = first_cell_needs_else && constraint.source == id;
      if (constraint.guard.valid()) continue;
      const bool is_constant = !constraint.source.valid();
      add(constraint.weights,
          {{}, is_constant ? std::nullopt : std::optional(constraint.offset), id, constraint.place});
    }
    if (first_cell_needs_else) add(event.otherwise, {{}, std::nullopt, id, event.place});
  }

  std::vector<Hoisted> found;

 private:
  void add(const std::vector<ValueId>& weights, Hoisted hoisted) {
    for (const ValueId weight : weights) {
      if (may_be_absent(system_, weight)) return;  // what follows may not be needed
      if (!binders_.of(weight).empty()) continue;
      hoisted.value = weight;
      const auto is_same = [&](const Hoisted& other) {
        return other.value == weight && other.offset == hoisted.offset;
      };
      if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(hoisted);
    }
  }

  const System& system_;
  const EventGroup& group_;
  const FreeBinders& binders_;
};

}  // namespace

std::vector<std::vector<ReadPattern>> read_patterns(const System& system) {
  PatternCollector collector(system);
  collector.run();
  return std::move(collector.found);
}

std::vector<Hoisted> hoisted(const System& system, const EventGroup& group, const FreeBinders& binders) {
  HoistCollector collector(system, group, binders);
  for (const EventId event : group.events) collector.add(event);
  return std::move(collector.found);
}

}  // namespace wave::ir
