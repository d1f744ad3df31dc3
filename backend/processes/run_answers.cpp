// What a run answers once its process has been evaluated.
#include "backend/processes/program/exact_sum.h"
#include "backend/processes/program/held.h"
#include "backend/processes/quantum.h"
#include "backend/processes/run.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wave::backend::processes {

std::size_t Run::rank(std::span<const std::int64_t> indices) {
  const Places& grid = places();
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    if (indices[axis] >= 1 && indices[axis] <= grid.extents[axis]) continue;
    ir::Failure failure;
    failure.kind = ir::FailureKind::index_off_grid;
    failure.values = {ir::Scalar::of(indices[axis])};
    if (indices.size() > 1) {
      failure.values.push_back(ir::Scalar::of(std::int64_t{1}));
      failure.values.push_back(ir::Scalar::of(grid.extents[axis]));
    }
    throw Failed{std::move(failure)};
  }
  return static_cast<std::size_t>(grid.rank({indices.begin(), indices.end()}));
}

// The first in row-major order of those that finish last.
std::size_t Run::last_finisher() {
  if (!last_)
    last_ =
        static_cast<std::size_t>(std::max_element(state_.clocks.begin(), state_.clocks.end()) - state_.clocks.begin());
  return *last_;
}

ir::Scalar Run::measure(ir::Metric metric, ir::PhaseId phase, std::span<const std::int64_t> indices, ir::Over over) {
  std::optional<std::size_t> asked;
  if (!indices.empty()) asked = rank(indices);
  if (metric == ir::Metric::messages || metric == ir::Metric::bytes) return count(metric, phase, asked);
  evaluate();
  if (over != ir::Over::one) return ir::Scalar::of(time_of_all(metric, phase, over));
  return ir::Scalar::of(time_of(metric, phase, asked ? *asked : last_finisher()));
}

double Run::time_of_all(ir::Metric metric, ir::PhaseId phase, ir::Over over) {
  const std::size_t count = state_.clocks.size();
  double greatest = time_of(metric, phase, 0), least = greatest;
  __int128 sum = 0;
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (rank % ranks_between_clock_reads == 0) look_at_clock_();
    const double time = time_of(metric, phase, rank);
    greatest = std::max(greatest, time);
    least = std::min(least, time);
    if (std::isfinite(time)) sum += in_quanta(time, quantum_);
  }
  if (over == ir::Over::least) return least;
  return over == ir::Over::greatest || !std::isfinite(greatest) ? greatest : divide(sum, count) * quantum_;
}

std::size_t Run::rank_of(ir::Metric metric, ir::PhaseId phase, ir::Over over) {
  const double wanted = measure(metric, phase, {}, over).real;
  std::size_t rank = 0;
  while (time_of(metric, phase, rank) != wanted) {
    if (++rank % ranks_between_clock_reads == 0) look_at_clock_();
  }
  return rank;
}

// Of one process; no messages or bytes.
double Run::time_of(ir::Metric metric, ir::PhaseId phase, std::size_t rank) {
  const double time = phase.valid() ? state_.phases[phase.index].spent[rank] : state_.clocks[rank];
  if (metric == ir::Metric::time) return time;
  if (metric == ir::Metric::finish) return phase.valid() ? state_.phases[phase.index].left[rank] : state_.clocks[rank];
  const Account& of = account(phase, rank);
  const double compute = in_picoseconds(of.compute, quantum_), overhead = in_picoseconds(of.overhead, quantum_);
  if (metric == ir::Metric::compute) return compute;
  return metric == ir::Metric::overhead ? overhead : time - compute - overhead;
}

// Needs no clock. What fails for one process fails for all, as where times are evaluated.
ir::Scalar Run::count(ir::Metric metric, ir::PhaseId phase, std::optional<std::size_t> rank) {
  if (failure_of_counts_) throw Failed{*failure_of_counts_};
  try {
    Counter& counter = counts();
    const Counts& all = counter.all();
    const Count& found = rank            ? counter.of(static_cast<std::int64_t>(*rank), phase)
                         : phase.valid() ? all.phases[phase.index]
                                         : all.whole;
    if (metric == ir::Metric::bytes) return ir::Scalar::of(found.bytes.rounded());
    if (found.messages <= std::numeric_limits<std::int64_t>::max())
      return ir::Scalar::of(static_cast<std::int64_t>(found.messages));
    ir::Failure failure;
    failure.kind = ir::FailureKind::integer_overflow;
    failure.location = process_.location;
    throw Failed{std::move(failure)};
  } catch (Failed& failed) {
    if (failed.failure.is_limit() && !failed.failure.location.known()) failed.failure.location = process_.location;
    if (!failed.cycle.valid()) failure_of_counts_ = failed.failure;
    throw;
  }
}

double Run::peak(ir::MemoryId memory, std::span<const std::int64_t> indices) {
  HeldMemory held(scalars_, process_, binders_, places(), look_at_clock_);
  if (indices.empty()) return held.peak(memory);
  rank(indices);  // which is on the grid
  return held.peak(memory, {indices.begin(), indices.end()});
}

const Account& Run::account(ir::PhaseId phase, std::size_t rank) {
  if (!accountant_) {
    accountant_ =
        std::make_unique<Accountant>(scalars_, process_, binders_, places_->extents, quantum_, look_at_clock_, &taken_);
  }
  const Accounts& accounts = accountant_->of(places_->point(static_cast<std::int64_t>(rank)));
  return phase.valid() ? accounts.phases[phase.index] : accounts.whole;
}

}  // namespace wave::backend::processes
