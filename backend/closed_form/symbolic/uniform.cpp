// Constraint by constraint, then the steps against each other.
#include "backend/closed_form/symbolic/uniform.h"

#include "ir/dependences.h"
#include "ir/effects.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

constexpr std::size_t most_axes = 6;        // for more, the bound of a group is not by a hyperplane (ir/exact.cpp)

class Recogniser {
 public:
  Recogniser(const ir::System& system, ir::EventId id, const ir::FreeBinders& binders, const ir::Effects& effects)
      : event_(system[id]), space_(system[event_.space]), binders_(binders), effects_(effects), system_(system) {
    found_.event = id;
    direction_.assign(space_.axes.size(), 0);
  }

  std::optional<UniformEvent> run() {
    if (event_.type != ir::ScalarType::real || event_.general() || !event_.exact) return std::nullopt;
    if (space_.axes.empty() || space_.axes.size() > most_axes) return std::nullopt;
    for (std::uint32_t i = 0; i < event_.constraints.size(); ++i) {
      if (!add(i)) return std::nullopt;
    }
    if (found_.constants.empty() && (event_.otherwise.empty() || !are_uniform(event_.otherwise))) return std::nullopt;
    for (const std::int32_t direction : direction_) found_.rises.push_back(direction <= 0);
    if (!fits_together()) return std::nullopt;
    return std::move(found_);
  }

 private:
  bool add(std::uint32_t number) {
    const ir::Constraint& constraint = event_.constraints[number];
    if (constraint.guard.valid() || !are_uniform(constraint.weights)) return false;
    if (!constraint.source.valid()) {
      found_.constants.push_back(number);
      return !constraint.weights.empty();
    }
    if (constraint.source != found_.event) return false;
    UniformStep step{{}, {number}};
    for (std::uint32_t axis = 0; axis < constraint.offset.size(); ++axis) {
      const std::int32_t offset = constraint.offset[axis];
      if (offset == 0) continue;
      if (std::abs(offset) != 1 || space_.axes[axis].wrap || direction_[axis] == -offset) return false;
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

  // Hoisted by every engine, and nothing that only a cell can look at.
  bool are_uniform(const std::vector<ir::ValueId>& weights) const {
    return std::all_of(weights.begin(), weights.end(), [&](ir::ValueId weight) {
      return binders_.of(weight).empty() && !effects_.is_of_cell(weight) && !ir::may_be_absent(system_, weight);
    });
  }

  bool has_straight(std::uint32_t axis) const {
    return std::any_of(found_.straight.begin(), found_.straight.end(), [&](const auto& s) { return s.axes[0] == axis; });
  }

  bool fits_together() const {
    std::vector<bool> taken(space_.axes.size(), false);
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

  const ir::Event& event_;
  const ir::Space& space_;
  const ir::FreeBinders& binders_;
  const ir::Effects& effects_;
  const ir::System& system_;
  std::vector<std::int32_t> direction_;
  UniformEvent found_;
};

}  // namespace

std::optional<UniformEvent> find_uniform(const ir::System& system, const ir::EventGroup& group,
                                         const ir::FreeBinders& binders, const ir::Effects& effects) {
  if (group.reads_itself || group.events.size() != 1) return std::nullopt;
  return Recogniser(system, group.events.front(), binders, effects).run();
}

}  // namespace wave::backend::closed_form
