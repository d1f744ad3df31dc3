// Walks through definitions, calls and events.
#include "ir/dependences.h"

#include "ir/visit.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

namespace wave::ir {

// A Builder gives operands smaller ids than their nodes, but nobody promises that. So the walk repeats until nothing
// changes.
FreeBinders::FreeBinders(const System& system) : binders_(system.values.size()) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < system.values.size(); ++i) {
      const Node& node = system.values[i].node;
      bool is_closed = !std::holds_alternative<Index>(node) && !std::holds_alternative<Neighbour>(node);
      for_each_operand(node, [&](ValueId operand) { is_closed = is_closed && binders_[operand.index].empty(); });
      if (is_closed && binders_[i].empty()) continue;
      std::set<BinderId> free;
      for_each_operand(
          node, [&](ValueId operand) { free.insert(binders_[operand.index].begin(), binders_[operand.index].end()); });
      if (const auto* index = std::get_if<Index>(&node)) free.insert(index->binder);
      if (const auto* neighbour = std::get_if<Neighbour>(&node)) {
        for (const Axis& axis : system[system[neighbour->event].space].axes) free.insert(axis.binder);
      }
      if (const auto* reduce = std::get_if<Reduce>(&node)) {
        for (const Level& level : reduce->levels) free.erase(level.binder);
      }
      std::vector<BinderId> list(free.begin(), free.end());
      if (list != binders_[i]) {
        binders_[i] = std::move(list);
        changed = true;
      }
    }
  }
}

namespace {

class DependenceCollector {
 public:
  explicit DependenceCollector(const System& system) : system_(system) {}

  void walk(ValueId start) {
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!seen_.insert(value).second) continue;
      if (const auto* n = std::get_if<Neighbour>(&system_[value].node)) add({n->event, n->offset});
      const auto below = static_cast<std::ptrdiff_t>(pending.size());
      for_each_operand(system_[value].node, [&](ValueId operand) { pending.push_back(operand); });
      std::reverse(pending.begin() + below, pending.end());  // the leftmost operand comes first
    }
  }
  void add(Dependence dependence) {
    if (met_.insert(dependence).second) found.push_back(std::move(dependence));
  }

  std::vector<Dependence> found;

 private:
  const System& system_;
  std::unordered_set<ValueId> seen_;
  std::set<Dependence> met_;
};

class ReadCollector {
 public:
  ReadCollector(const System& system, const std::vector<bool>& leads_to_cells)
      : system_(system), leads_to_cells_(leads_to_cells) {}

  // `fresh`: frames at least this deep were activated by a call on the way.
  void walk(ValueId start, std::uint32_t fresh) {
    std::vector<std::pair<ValueId, std::uint32_t>> pending{{start, fresh}};
    while (!pending.empty()) {
      const auto [value, level] = pending.back();
      pending.pop_back();
      if (!value.valid() || !leads_to_cells_[value.index] ||
          !seen_.insert(std::uint64_t{value.index} << 32 | level).second)
        continue;
      const Node& node = system_[value].node;
      for_each_operand(node, [&, level = level](ValueId operand) { pending.push_back({operand, level}); });
      if (const auto* n = std::get_if<Reference>(&node)) {
        pending.push_back({system_[n->definition].body, level});
      } else if (const auto* call = std::get_if<Call>(&node)) {
        pending.push_back({system_[call->definition].body, std::min(level, depth(system_, call->frame))});
      } else if (const auto* read = std::get_if<Read>(&node)) {
        reach(read->event, level, pending);
      } else if (const auto* measure = std::get_if<Measure>(&node)) {
        enter(system_[measure->process], level, pending);
      } else if (const auto* neighbour = std::get_if<Neighbour>(&node)) {
        if (is_fresh(neighbour->event, level)) reach(neighbour->event, level, pending);
      }
    }
  }

  std::set<EventId> found;

 private:
  bool is_fresh(EventId event, std::uint32_t level) const { return depth(system_, system_[event].frame) >= level; }

  void enter(const Process& process, std::uint32_t level, std::vector<std::pair<ValueId, std::uint32_t>>& pending) {
    for_each_value_of_process(process, [&](ValueId value) { pending.push_back({value, level}); });
    for (const Axis& axis : system_[process.space].axes)
      pending.insert(pending.end(), {{axis.first, level}, {axis.last, level}});
    for (const Block& block : process.blocks) {
      for (const Statement& statement : block) {
        const auto* message = std::get_if<Message>(&statement.node);
        if (!message) continue;
        for_each_value_of_ends(system_[message->ends], [&](ValueId value) {
          pending.push_back({value, std::min(level, depth(system_, system_[message->ends].frame))});
        });
      }
    }
  }

  void reach(EventId id, std::uint32_t level, std::vector<std::pair<ValueId, std::uint32_t>>& pending) {
    if (!is_fresh(id, level)) {
      found.insert(id);
      return;
    }
    const Event& event = system_[id];
    for_each_value(event, [&](ValueId value) { pending.push_back({value, level}); });
    for (const Axis& axis : system_[event.space].axes) {
      pending.push_back({axis.first, level});
      pending.push_back({axis.last, level});
    }
    for (const Constraint& constraint : event.constraints) {
      if (constraint.source.valid() && fresh_sources_.insert({constraint.source, level}).second) {
        reach(constraint.source, level, pending);
      }
    }
  }

  const System& system_;
  const std::vector<bool>& leads_to_cells_;
  std::unordered_set<std::uint64_t> seen_;  // values, each with its level
  std::set<std::pair<EventId, std::uint32_t>> fresh_sources_;
};

constexpr std::uint32_t nothing_fresh = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<Dependence> dependences(const System& system, EventId id) {
  DependenceCollector collector(system);
  const Event& event = system[id];
  for (const Constraint& constraint : event.constraints) {
    if (constraint.source.valid()) collector.add({constraint.source, constraint.offset});
  }
  for_each_value(event, [&](ValueId value) { collector.walk(value); });
  return std::move(collector.found);
}

std::vector<bool> followed_events(const System& system) {
  std::vector<bool> followed(system.events.size(), false);
  for (std::uint32_t i = 0; i < system.events.size(); ++i) {
    for (const Dependence& dependence : dependences(system, EventId{i})) {
      if (dependence.source.index != i) followed[dependence.source.index] = true;
    }
  }
  return followed;
}

// Definitions may refer to later ones, so the walk repeats until nothing changes.
EventsRead::EventsRead(const System& system) : system_(system), leads_to_cells_(system.values.size()) {
  const auto leads = [&](ValueId value) { return value.valid() && leads_to_cells_[value.index]; };
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t i = 0; i < system.values.size(); ++i) {
      if (leads_to_cells_[i]) continue;
      const Node& node = system.values[i].node;
      bool found = std::holds_alternative<Read>(node) || std::holds_alternative<Neighbour>(node) ||
                   std::holds_alternative<Measure>(node);
      for_each_operand(node, [&](ValueId operand) { found = found || leads(operand); });
      if (const auto* reference = std::get_if<Reference>(&node)) found = leads(system[reference->definition].body);
      if (const auto* call = std::get_if<Call>(&node)) found = found || leads(system[call->definition].body);
      leads_to_cells_[i] = found;
      has_changed = has_changed || found;
    }
  }
}

std::set<EventId> EventsRead::of(const std::vector<ValueId>& values) const {
  ReadCollector collector(system_, leads_to_cells_);
  for (const ValueId value : values) collector.walk(value, nothing_fresh);
  return std::move(collector.found);
}

std::set<EventId> EventsRead::of(EventId id) const {
  const Event& event = system_[id];
  std::vector<ValueId> values;
  for_each_value(event, [&](ValueId value) { values.push_back(value); });
  for (const Axis& axis : system_[event.space].axes) values.insert(values.end(), {axis.first, axis.last});
  return of(values);
}

}  // namespace wave::ir
