#include "tests/unit/closed_form/solved.h"

#include "backend/engine.h"
#include "ir/arithmetic.h"
#include "ir/dependences.h"
#include "ir/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace wave::test {

namespace {

// The definitions in these tests are constants.
ir::Scalar constant(const ir::System& system, ir::ValueId value) {
  return std::get<ir::Constant>(system[value].node).value;
}

backend::Outcome rows(const ir::System& system, ir::RootId root, bool shortcuts,
                      std::vector<backend::EventReport>& reports) {
  backend::EngineOptions options;
  options.shortcuts = shortcuts;
  const auto engine = backend::make_interpreter(system, options);
  const auto evaluation = engine->start({}, {});
  backend::Outcome outcome = evaluation->evaluate(root);
  reports = evaluation->reports();
  return outcome;
}

}  // namespace

std::unique_ptr<backend::closed_form::Solution> find_solution(parity::Model& model, ir::EventId event,
                                                              std::int64_t shortest, double* quantum) {
  const ir::System& system = model.system;
  ir::require_valid(system);
  ir::EventGroup group;
  for (const ir::EventGroup& each : ir::event_groups(system)) {
    if (each.events.front() == event) group = each;
  }
  backend::closed_form::Problem problem{system, group, {}, {}, 0, {}, shortest};
  for (const ir::Axis& axis : system[system[event].space].axes) {
    problem.first.push_back(constant(system, axis.first).integer);
    problem.last.push_back(constant(system, axis.last).integer);
  }
  problem.surroundings.definition = [&](ir::DefinitionId id) { return constant(system, system[id].body); };
  const ir::Exactness exactness =
      ir::exactness(system, group, problem.first, problem.last, problem.surroundings.definition);
  problem.quantum = exactness.quantum;
  if (quantum) *quantum = exactness.quantum;
  return exactness.exact && backend::closed_form::may_apply(system, group, ir::followed_events(system))
             ? backend::closed_form::solve(problem)
             : nullptr;
}

Solved solve(parity::Model& model, ir::EventId event, std::int64_t shortest) {
  const ir::RootId root = model.root_of_all("all", event);
  Solved result;
  const auto solution = find_solution(model, event, shortest, &result.quantum);
  std::vector<backend::EventReport> reports;
  const backend::Outcome direct = rows(model.system, root, false, reports);
  result.failed = std::holds_alternative<ir::Failure>(direct);
  if (!solution) return result;
  result.name = solution->name();
  if (result.failed) {
    result.difference = "a cell fails that the shortcut does not see";
    return result;
  }
  std::vector<std::int64_t> first, last;
  for (const ir::Axis& axis : model.system[model.system[event].space].axes) {
    first.push_back(constant(model.system, axis.first).integer);
    last.push_back(constant(model.system, axis.last).integer);
  }
  const auto& cells = std::get<backend::Rows>(direct).cells;
  result.cells = cells.size();
  std::vector<std::int64_t> at = first;
  for (const ir::Scalar& cell : cells) {
    const double value = solution->at(at);
    if (!ir::arithmetic::same_bits(cell, ir::Scalar::of(value))) {
      result.difference = fmt::format("({}): {} instead of {}", fmt::join(at, ", "), value, cell.real);
      return result;
    }
    std::size_t axis = at.size();
    while (axis > 0 && at[axis - 1] == last[axis - 1]) --axis, at[axis] = first[axis];
    if (axis > 0) ++at[axis - 1];
  }
  return result;
}

Solved solve_in_interpreter(parity::Model& model, ir::EventId event) {
  const ir::RootId root = model.root_of_all("all", event);
  ir::require_valid(model.system);
  Solved result;
  std::vector<backend::EventReport> reports;
  const backend::Outcome direct = rows(model.system, root, false, reports),
                         shorter = rows(model.system, root, true, reports);
  result.failed = std::holds_alternative<ir::Failure>(direct);
  const std::string prefix = "closed form: ";
  if (!reports.empty() && reports.front().schedule.rfind(prefix, 0) == 0)
    result.name = reports.front().schedule.substr(prefix.size());
  if (result.failed) {
    const auto* const failure = std::get_if<ir::Failure>(&shorter);
    if (!failure || failure->kind != std::get<ir::Failure>(direct).kind) result.difference = "another failure";
    return result;
  }
  const auto* const found = std::get_if<backend::Rows>(&shorter);
  if (!found) {
    result.difference = "a failure";
    return result;
  }
  const auto& cells = std::get<backend::Rows>(direct).cells;
  result.cells = cells.size();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!ir::arithmetic::same_bits(cells[i], found->cells[i])) {
      result.difference = fmt::format("cell {}: {} instead of {}", i, found->cells[i].real, cells[i].real);
    }
  }
  return result;
}

}  // namespace wave::test
