// Reads of events of the form in uniform.h, one event after the other.
#include "backend/closed_form/symbolic/symbolic.h"

#include "backend/closed_form/symbolic/known_value.h"
#include "backend/closed_form/symbolic/replacement.h"
#include "backend/closed_form/thresholds.h"
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/visit.h"

#include <algorithm>
#include <span>

namespace wave::backend::closed_form {

namespace {

using ir::ValueId;

std::vector<std::vector<ValueId>> find_reads(const ir::System& system) {
  std::vector<std::vector<ValueId>> reads(system.events.size());
  for (std::uint32_t i = 0; i < system.values.size(); ++i) {
    if (const auto* read = std::get_if<ir::Read>(&system.values[i].node))
      reads[read->event.index].push_back(ValueId{i});
  }
  return reads;
}

// More than a few operators.
bool is_dear(const ir::System& system, ValueId value, int depth = 0) {
  const ir::Node& node = system[value].node;
  bool result = depth > deepest_in_place || std::holds_alternative<ir::Call>(node) ||
                std::holds_alternative<ir::Reduce>(node) || std::holds_alternative<ir::Read>(node) ||
                std::holds_alternative<ir::Measure>(node);
  ir::for_each_operand(node, [&](ValueId operand) { result = result || is_dear(system, operand, depth + 1); });
  return result;
}

struct ByFrame {
  const ir::System& system;
  ir::FrameId of(const Replacement& one) const { return system[one.event].frame; }
  bool operator()(const Replacement& a, const Replacement& b) const { return of(a).index < of(b).index; }
  bool operator()(const Replacement& a, ir::FrameId b) const { return of(a).index < b.index; }
  bool operator()(ir::FrameId a, const Replacement& b) const { return a.index < of(b).index; }
};

class Replacer {
 public:
  explicit Replacer(const ir::System& system)
      : binders_(system), effects_(system), reads_(find_reads(system)), result_{system, {}}, builder_(result_.system) {}

  Symbolic run(const std::vector<ir::EventGroup>& groups) {
    for (const ir::EventGroup& group : groups) {
      const auto is_read = [&](ir::EventId event) { return !reads_[event.index].empty(); };
      if (std::none_of(group.events.begin(), group.events.end(), is_read)) continue;
      if (const auto uniform = find_uniform(result_.system, group, binders_, effects_)) replace(*uniform);
    }
    for (const auto& [read, shortcut] : shortcuts_) put(read, shortcut);
    std::stable_sort(result_.replaced.begin(), result_.replaced.end(), ByFrame{result_.system});
    return std::move(result_);
  }

 private:
  void replace(const UniformGroup& uniform) {
    ReplacementBuilder replacement(builder_, uniform);
    const bool extents_may_fail = replacement.extents_may_fail(effects_);
    for (const ir::EventId event : uniform.events) {
      for (const ValueId read : reads_[event.index]) {
        const std::vector<ValueId> indices = std::get<ir::Read>(result_.system[read].node).indices;
        ValueId condition = replacement.condition(indices);
        for (std::size_t axis = indices.size(); axis-- > 0;) {
          // A read evaluates its indices before the extents; and what is evaluated first is at hand later.
          const ValueId index = indices[axis];
          if (is_dear(result_.system, index) || (extents_may_fail && effects_.may_fail(index))) {
            condition = builder_.logical_and(builder_.equal(index, index), condition);
          }
        }
        shortcuts_.emplace_back(read, ir::Select{condition, replacement.at(event, indices), {}, true});
      }
      result_.replaced.push_back(replacement.replacement(event));
    }
  }

  // The read moves to the end, and the shortcut takes its place.
  void put(ValueId read, ir::Select shortcut) {
    std::vector<ir::Value>& values = result_.system.values;
    shortcut.if_false = ValueId{static_cast<std::uint32_t>(values.size())};
    ir::Value moved = values[read.index];
    values.push_back(std::move(moved));
    values[read.index].node = shortcut;
  }

  const ir::FreeBinders binders_;
  const ir::Effects effects_;
  const std::vector<std::vector<ValueId>> reads_;
  Symbolic result_;
  ir::Builder builder_;
  std::vector<std::pair<ValueId, ir::Select>> shortcuts_;
};

}  // namespace

Symbolic replace_recurrences(const ir::System& system) {
  const auto reads = find_reads(system);
  for (std::uint32_t i = 0; i < system.events.size(); ++i) {
    if (!reads[i].empty() && may_be_uniform(system, ir::EventId{i}))
      return Replacer(system).run(ir::event_groups(system));
  }
  return {system, {}};
}

std::vector<EventReport> report_replaced(const Symbolic& symbolic, ir::FrameId frame, const Knowledge& known) {
  std::vector<EventReport> reports;
  const auto [begin, end] =
      std::equal_range(symbolic.replaced.begin(), symbolic.replaced.end(), frame, ByFrame{symbolic.system});
  for (const Replacement& one : std::span(begin, end)) {
    const auto holds = known.definition(one.holds);
    if (!holds || !holds->boolean) continue;
    const auto number = [&](ir::DefinitionId id) {
      const auto value = known_value(symbolic.system, symbolic.system[id].body, known);
      return value ? value->real : 0.0;
    };
    reports.push_back({symbolic.system[one.event].name, "closed form: " + one.name + ", as an expression",
                       number(one.cells), number(one.bound), number(one.quantum), number(one.error)});
  }
  return reports;
}

}  // namespace wave::backend::closed_form
