// Gives the values of a group without its cells, if a proof covers them (backend/closed_form/).
#include "backend/failed.h"
#include "backend/jit/group_evaluation.h"
#include "backend/limits.h"

namespace wave::jit {

namespace {

// Fewer cells than this are evaluated faster than a proof is found.
constexpr double few_cells = 1 << 18;
// What a cell takes at the very least, in lanes.
constexpr double least_seconds_per_cell = 5e-11;
// What a value costs at least with any proof.
constexpr double least_seconds_per_read = 1e-7;
// A cell that a proof looks at takes as long as this many others, and only a part of the time is available for the
// proof.
constexpr double cells_per_looked_at = 1e4;
// A proof's operation on one index takes about 8 ns (costs by axis and separable sums on 10^6 x 10^6 cells, `wave run
// bench/startp.wave`): as long as some hundred cells in lanes.
constexpr double cells_per_operation = 250;
// Cells that take longer than this are worth a proof even if every one of them is read.
constexpr double many_cells = 0x1p36;

}  // namespace

Status GroupEvaluation::shorten(bool& found) {
  found = false;
  const double cells = cell_count();
  if (!run_.compiled_.options.shortcuts || cells < few_cells) return done;
  if (!backend::closed_form::may_apply(system_, events_, run_.compiled_.layout.followed)) return done;
  const double cells_worth =
      cells < many_cells ? cells * least_seconds_per_cell : std::numeric_limits<double>::infinity();
  const double points = backend::closed_form::points_read({system_, events_, group_.first, group_.last, {}, {}},
                                                          run_.compiled_.layout.reads[events_.events.front().index]);
  if (points * least_seconds_per_read > cells_worth) return done;
  // If something fails now, the evaluation of the cells will find it.
  ++run_.tries_;
  const Status status = find_solution();
  --run_.tries_;
  if (status != done && run_.failure_ && run_.failure_->is_limit()) return failed;
  run_.failure_.reset();
  hoisted_.clear();
  known_weights_.clear();
  if (group_.solution && points * group_.solution->seconds_per_read() > cells_worth) group_.solution.reset();
  found = group_.solution != nullptr;
  return done;
}

Status GroupEvaluation::find_solution() {
  if (hoist() != done || find_quantum() != done) return failed;
  if (!exactness_.exact) return done;
  backend::closed_form::Problem problem{system_, events_, group_.first, group_.last, exactness_.quantum, {}};
  problem.surroundings.definition = [&](ir::DefinitionId id) {
    auto value = run_.definition_value(id, events_.frame, record_);
    const auto* const failure = std::get_if<ir::Failure>(&value);
    if (failure && failure->is_limit()) throw backend::Failed{*failure};
    return value;
  };
  problem.surroundings.parameter = [&](ir::ParameterId id) { return run_.parameter_value(id, events_.frame, record_); };
  problem.surroundings.hoisted = [&](ir::ValueId weight) -> std::optional<double> {
    const auto known = known_weights_.find(weight);
    return known == known_weights_.end() ? std::nullopt : std::optional(known->second);
  };
  problem.surroundings.look_at_clock = [&] {
    if (backend::seconds_left(run_.limits_) < 0) throw backend::Failed{backend::deadline_passed(run_.limits_)};
  };
  problem.most_cells = cell_count() / cells_per_looked_at;
  problem.cells_per_operation = cells_per_operation;
  problem.memory_bytes = static_cast<double>(run_.limits_.memory_bytes) - static_cast<double>(run_.bytes_);
  try {
    group_.solution = backend::closed_form::solve(problem);
    group_.solved = events_.events.front();
  } catch (const backend::Failed& failed) {
    return run_.limit(failed.failure);
  }
  return done;
}

}  // namespace wave::jit
