// Asks what the cells of a group look at: for the quantum, and for proofs that make it needless to evaluate them.
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"

#include <algorithm>

namespace wave::backend::interpreter {

using ir::Scalar;

namespace {

constexpr double seconds_per_interpreted_cell = 5e-7;
constexpr double many_cells = 0x1p30;  // more than are ever evaluated here
// Of a proof that begins by evaluating cells: some hundredths of a second.
constexpr double most_cells_for_a_proof = 2e5;
constexpr double least_bytes_for_a_proof =
    0x1p26;  // also where memory for cells is kept short, to leave them to the JIT

double points_read(const closed_form::Problem& problem) {
  const ir::EventId event = problem.group.events.front();
  return closed_form::points_read(problem, ir::read_patterns(problem.system)[event.index]);
}

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
  CellContext cell;
  cell.group = &state;
  cell.box = &space;
  const Scope scope(*this, owner, &cell);
  try {
    hoist(plan, owner, state);
    state.exactness = find_exactness(plan, owner, state);
    if (state.exactness.exact) {
      closed_form::Problem problem{
          system_, plan.group, space.first, space.last, state.exactness.quantum, surroundings(state)};
      problem.most_cells = std::min(space.count / 4, most_cells_for_a_proof);
      const double left = static_cast<double>(limits_.memory_bytes) - static_cast<double>(bytes_used_);
      problem.memory_bytes = std::max(left, least_bytes_for_a_proof);
      state.solution = closed_form::solve(problem);
      // If values are read everywhere, and reading them costs more than evaluating the cells, the cells are evaluated.
      const double worth = space.count * seconds_per_interpreted_cell;
      if (state.solution && state.solution->seconds_per_read() > seconds_per_interpreted_cell &&
          space.count < many_cells && points_read(problem) * state.solution->seconds_per_read() > worth) {
        state.solution.reset();
      }
    }
  } catch (const Failed& failed) {
    if (failed.failure.is_limit()) throw;
  }
  if (!state.solution) state.hoisted.clear();
  return state.solution != nullptr;
}

}  // namespace wave::backend::interpreter
