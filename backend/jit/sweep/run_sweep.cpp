// What the last tile of one block leaves in memory feeds the first lane of the next.
#include "backend/jit/sweep/run_sweep.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace wave::jit::sweep {

using backend::processes::SweepCall;
using backend::processes::SweepKernels;

double bytes_of_run(const Plan& plan, const CallExtents& grid, const StepExtents& steps, const SweepCall& call,
                    int threads) {
  const auto dropped = std::count_if(plan.events.carried.begin(), plan.events.carried.end(),
                                     [&](const Carried& carried) { return !call.state[carried.number]; });
  return sizeof(double) * (steps.buffered * threads + static_cast<double>(dropped * grid.processes()));
}

SweepKernels::Outcome run_sweep(const Plan& plan, const Strips& strips, const CallExtents& grid,
                                const StepExtents& steps, const SweepCall& call, int threads) {
  const std::int64_t blocks = (call.tiles + strips.lanes - 1) / strips.lanes;
  threads = static_cast<int>(std::clamp<std::int64_t>(threads, 1, blocks));
  Run run{plan, strips, grid, steps, call, {}, strips::Blocks(threads, blocks)};
  std::vector<LargeArray<double>> dropped;
  for (const Carried& carried : plan.events.carried) {
    double* state = call.state[carried.number];
    if (!state) {
      state = dropped.emplace_back(static_cast<std::size_t>(grid.processes())).data();
      std::fill_n(state, grid.processes(), -std::numeric_limits<double>::infinity());
    }
    run.states.push_back(state);
  }
  std::deque<BlockRun> workers;
  for (int thread = 0; thread < threads; ++thread) workers.emplace_back(run, thread == 0);
  const bool done = run.blocks.run(
      [&](int thread, std::int64_t block) { return workers[static_cast<std::size_t>(thread)].run(block); });
  return done ? SweepKernels::Outcome::done : SweepKernels::Outcome::stopped;
}

}  // namespace wave::jit::sweep
