// Reads of events of the form in uniform.h, one event after the other.
#include "backend/closed_form/symbolic/symbolic.h"

#include "backend/closed_form/symbolic/known_value.h"
#include "backend/closed_form/symbolic/replacement.h"
#include "ir/dependences.h"
#include "ir/effects.h"

namespace wave::backend::closed_form {

namespace {

using ir::ValueId;

std::vector<std::vector<ValueId>> find_reads(const ir::System& system) {
  std::vector<std::vector<ValueId>> reads(system.events.size());
  for (std::uint32_t i = 0; i < system.values.size(); ++i) {
    if (const auto* read = std::get_if<ir::Read>(&system.values[i].node)) reads[read->event.index].push_back(ValueId{i});
  }
  return reads;
}

class Replacer {
 public:
  explicit Replacer(const ir::System& system)
      : binders_(system), effects_(system), reads_(find_reads(system)), result_{system, {}}, builder_(result_.system) {}

  Symbolic run(const std::vector<ir::EventGroup>& groups) {
    for (const ir::EventGroup& group : groups) {
      if (reads_[group.events.front().index].empty()) continue;
      if (const auto uniform = find_uniform(result_.system, group, binders_, effects_)) replace(*uniform);
    }
    for (const auto& [read, shortcut] : shortcuts_) put(read, shortcut);
    return std::move(result_);
  }

 private:
  void replace(const UniformEvent& uniform) {
    ReplacementBuilder replacement(builder_, uniform);
    const bool extents_may_fail = replacement.extents_may_fail(effects_);
    for (const ValueId read : reads_[uniform.event.index]) {
      const std::vector<ValueId> indices = std::get<ir::Read>(result_.system[read].node).indices;
      ValueId condition = replacement.condition(indices);
      for (std::size_t axis = indices.size(); axis-- > 0 && extents_may_fail;) {
        // A read evaluates its indices before the extents.
        if (effects_.may_fail(indices[axis])) {
          condition = builder_.logical_and(builder_.equal(indices[axis], indices[axis]), condition);
        }
      }
      shortcuts_.emplace_back(read, ir::Select{condition, replacement.at(indices), {}, true});
    }
    result_.replaced.push_back(replacement.replacement());
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
  if (system.events.empty()) return {system, {}};
  return Replacer(system).run(ir::event_groups(system));
}

std::vector<EventReport> report_replaced(const Symbolic& symbolic, ir::FrameId frame,
                                         const std::function<std::optional<ir::Scalar>(ir::DefinitionId)>& known) {
  std::vector<EventReport> reports;
  for (const Replacement& one : symbolic.replaced) {
    if (symbolic.system[one.event].frame != frame) continue;
    const auto holds = known(one.holds);
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
