// Event by event, constraint by constraint, then the steps against each other.
#include "backend/closed_form/symbolic/uniform.h"

#include "backend/closed_form/thresholds.h"
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/visit.h"

#include <algorithm>
#include <unordered_set>

namespace wave::backend::closed_form {

namespace {

bool is_zero(const std::vector<std::int32_t>& offset) {
  return std::all_of(offset.begin(), offset.end(), [](std::int32_t d) { return d == 0; });
}

// Is its interval a point wherever it has a value (ir/interval.h)? Operators on what is known. `seen`: those that are
// looked at already.
bool is_point(const ir::System& system, ir::ValueId value, std::unordered_set<ir::ValueId>& seen, int depth = 0) {
  if (!seen.insert(value).second) return true;
  const ir::Node& node = system[value].node;
  const bool may_be = std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Parameter>(node) ||
                      std::holds_alternative<ir::Reference>(node) || std::holds_alternative<ir::Unary>(node) ||
                      std::holds_alternative<ir::Binary>(node) || std::holds_alternative<ir::Maximum>(node) ||
                      std::holds_alternative<ir::Minimum>(node) || std::holds_alternative<ir::Select>(node);
  bool result = may_be && depth < deepest_point;
  ir::for_each_operand(node,
                       [&](ir::ValueId operand) { result = result && is_point(system, operand, seen, depth + 1); });
  return result;
}

class Recogniser {
 public:
  Recogniser(const ir::System& system, const ir::EventGroup& group, const ir::FreeBinders& binders,
             const ir::Effects& effects)
      : system_(system), group_(group), binders_(binders), effects_(effects) {
    found_.events = group.events;
  }

  std::optional<UniformGroup> run() {
    if (!find_main()) return std::nullopt;
    const ir::Event& main = system_[found_.main];
    const std::size_t axes = system_[main.space].axes.size();
    if (axes == 0 || axes > most_axes_of_expression) return std::nullopt;
    direction_.assign(axes, 0);
    for (std::uint32_t i = 0; i < main.constraints.size(); ++i) {
      if (!add(i)) return std::nullopt;
    }
    if (found_.constants.empty() && !begins(main)) return std::nullopt;
    for (const std::int32_t direction : direction_) found_.rises.push_back(direction <= 0);
    if (!fits_together()) return std::nullopt;
    return std::move(found_);
  }

 private:
  // The one event that does not follow others.
  bool find_main() {
    for (std::size_t i = 0; i < group_.events.size(); ++i) {
      const ir::EventId id = group_.events[i];
      const ir::Event& event = system_[id];
      if (!may_be_uniform(system_, id) || event.frame != group_.frame || event.space != group_.space) return false;
      if (follows(event, i)) continue;
      if (found_.main.valid()) return false;
      found_.main = id;
    }
    return found_.main.valid();
  }

  // Another event of the group at the same place, which comes before it, plus weights.
  bool follows(const ir::Event& event, std::size_t position) const {
    const auto before = group_.events.begin() + static_cast<std::ptrdiff_t>(position);
    return !event.constraints.empty() && event.otherwise.empty() &&
           std::all_of(event.constraints.begin(), event.constraints.end(), [&](const ir::Constraint& constraint) {
             return constraint.source.valid() && is_zero(constraint.offset) && are_uniform(constraint.weights) &&
                    std::find(group_.events.begin(), before, constraint.source) != before;
           });
  }

  bool add(std::uint32_t number) {
    const ir::Constraint& constraint = system_[found_.main].constraints[number];
    if (!are_uniform(constraint.weights)) return false;
    if (!constraint.source.valid()) {
      found_.constants.push_back(number);
      return !constraint.weights.empty();
    }
    if (std::find(found_.events.begin(), found_.events.end(), constraint.source) == found_.events.end()) return false;
    UniformStep step{{}, {number}};
    const ir::Space& space = system_[group_.space];
    for (std::uint32_t axis = 0; axis < constraint.offset.size(); ++axis) {
      const std::int32_t offset = constraint.offset[axis];
      if (offset == 0) continue;
      if (std::abs(offset) != 1 || space.axes[axis].wrap || direction_[axis] == -offset) return false;
      direction_[axis] = offset;
      step.axes.push_back(axis);
    }
    if (step.axes.empty()) return false;
    std::vector<UniformStep>& steps = step.axes.size() == 1 ? found_.straight : found_.diagonal;
    for (UniformStep& known : steps) {
      if (known.axes != step.axes) continue;
      known.constraints.push_back(number);
      return true;
    }
    steps.push_back(std::move(step));
    return true;
  }

  // The `else` at the corner. It is hoisted where all sources are the event itself; elsewhere its bound is an interval,
  // and it fails in the cell that needs it.
  bool begins(const ir::Event& main) const {
    if (main.otherwise.empty() || !are_uniform(main.otherwise)) return false;
    const bool is_hoisted =
        std::all_of(main.constraints.begin(), main.constraints.end(),
                    [&](const ir::Constraint& constraint) { return constraint.source == found_.main; });
    std::unordered_set<ir::ValueId> seen;
    return is_hoisted || std::all_of(main.otherwise.begin(), main.otherwise.end(), [&](ir::ValueId weight) {
             return !effects_.may_fail(weight) && is_point(system_, weight, seen);
           });
  }

  // Hoisted by every engine, and nothing that only a cell can look at.
  bool are_uniform(const std::vector<ir::ValueId>& weights) const {
    return std::all_of(weights.begin(), weights.end(),
                       [&](ir::ValueId weight) { return binders_.of(weight).empty() && !effects_.is_of_cell(weight); });
  }

  bool has_straight(std::uint32_t axis) const {
    return std::any_of(found_.straight.begin(), found_.straight.end(),
                       [&](const auto& s) { return s.axes[0] == axis; });
  }

  bool fits_together() const {
    std::vector<bool> taken(direction_.size(), false);
    for (const UniformStep& step : found_.diagonal) {
      std::size_t with_straight = 0;
      for (const std::uint32_t axis : step.axes) {
        if (taken[axis]) return false;
        taken[axis] = true;
        with_straight += has_straight(axis) ? 1 : 0;
      }
      if (found_.constants.empty() && with_straight != 0 && with_straight != step.axes.size()) return false;
    }
    return true;
  }

  const ir::System& system_;
  const ir::EventGroup& group_;
  const ir::FreeBinders& binders_;
  const ir::Effects& effects_;
  std::vector<std::int32_t> direction_;
  UniformGroup found_;
};

}  // namespace

bool may_be_uniform(const ir::System& system, ir::EventId id) {
  const ir::Event& event = system[id];
  return event.type == ir::ScalarType::real && !event.general() && event.exact &&
         std::none_of(event.constraints.begin(), event.constraints.end(),
                      [](const auto& c) { return c.guard.valid(); });
}

std::optional<UniformGroup> find_uniform(const ir::System& system, const ir::EventGroup& group,
                                         const ir::FreeBinders& binders, const ir::Effects& effects) {
  if (group.reads_itself) return std::nullopt;
  return Recogniser(system, group, binders, effects).run();
}

}  // namespace wave::backend::closed_form
