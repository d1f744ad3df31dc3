// Asks what the cells of a group look at: for the quantum, and for proofs that make it needless to evaluate them.
#include "backend/closed_form/thresholds.h"
#include "backend/interpreter/active_kernel.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"
#include "backend/interpreter/thresholds.h"
#include "backend/kernels/thresholds.h"

#include <algorithm>

namespace wave::backend::interpreter {

using ir::Scalar;

namespace {

// What evaluating cells costs, against which proofs are judged.
struct CellCosts {
  double seconds;              // a cell
  double cells_per_operation;  // closed_form::Problem
  double few_cells;            // fewer are evaluated faster than a proof is found
};

constexpr CellCosts as_they_are{seconds_per_plain_cell, closed_form::cells_per_operation_as_they_are, 0};
constexpr CellCosts by_kernel{seconds_per_lane_cell, lane_cells_per_operation, few_lane_cells};

}  // namespace

// A limit that is exceeded must be reported. Any other failure of a definition belongs to the cell that needs it.
closed_form::Surroundings Evaluator::surroundings(const GroupState& state) {
  closed_form::Surroundings result;
  result.definition = [this](ir::DefinitionId id) -> std::variant<Scalar, ir::Failure> {
    try {
      return reference(id);
    } catch (const Failed& failed) {
      if (failed.failure.is_limit()) throw;
      return failed.failure;
    }
  };
  result.parameter = [this](ir::ParameterId id) {
    return activation(system_[id].frame).arguments[prepared_.parameter_slot[id.index]];
  };
  result.hoisted = [&state](ir::ValueId weight) -> std::optional<double> {
    const auto known = state.hoisted.find(weight);
    return known == state.hoisted.end() ? std::nullopt : std::optional(known->second);
  };
  result.look_at_clock = [this] { look_at_clock(); };
  return result;
}

ir::Exactness Evaluator::find_exactness(const GroupPlan& plan, Activation& owner, const GroupState& state) {
  const Box& space = box(plan.group.space, owner);
  const closed_form::Surroundings around = surroundings(state);
  return ir::exactness(system_, plan.group, space.first, space.last, around.definition, around.parameter,
                       around.hoisted);
}

// Gives values without cells, if a proof covers them. If something fails on the way, the evaluation of the cells will
// find it.
bool Evaluator::shorten(const GroupPlan& plan, Activation& owner, GroupState& state) {
  const Box& space = box(plan.group.space, owner);
  const double seconds_as_they_are = space.count * plan.nodes * kernels::seconds_per_node;
  const bool is_for_kernel =
      table_.is_used() && prepared_.may_compile[plan.component] &&
      (table_.policy() == kernels::Policy::always || seconds_as_they_are > kernels::seconds_to_compile);
  const CellCosts& costs = is_for_kernel ? by_kernel : as_they_are;
  if (space.count < costs.few_cells) return false;
  CellContext cell;
  cell.group = &state;
  cell.box = &space;
  const Scope scope(*this, owner, &cell);
  try {
    closed_form::Problem problem{system_, plan.group, space.first, space.last, 0, surroundings(state)};
    const double points = closed_form::points_read(problem, prepared_.reads(plan.group.events.front()));
    const double seconds = space.count * costs.seconds;
    const bool is_worth_it = seconds > many_seconds || points * closed_form::least_seconds_per_read <= seconds;
    if (is_worth_it) {
      hoist(plan, owner, state);
      state.exactness = find_exactness(plan, owner, state);
    }
    if (is_worth_it && state.exactness.exact) {
      problem.quantum = state.exactness.quantum;
      problem.cells_per_operation = costs.cells_per_operation;
      problem.memory_bytes = static_cast<double>(limits_.memory_bytes) - static_cast<double>(memory_.used);
      state.solution = closed_form::solve(problem);
      if (state.solution && seconds <= many_seconds && points * state.solution->seconds_per_read() > seconds)
        state.solution.reset();
    }
  } catch (const Failed& failed) {
    if (failed.failure.is_limit()) throw;
  }
  if (!state.solution) state.hoisted.clear();
  return state.solution != nullptr;
}

}  // namespace wave::backend::interpreter
