// What the last tile of one block leaves in memory feeds the first lane of the next.
#include "backend/jit/sweep/run_sweep.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace wave::jit::sweep {

namespace {

using backend::processes::SweepCall;
using backend::processes::SweepKernels;

constexpr double never = -std::numeric_limits<double>::infinity();

// Whether, in every block, the last tile's value of a process is stored after the first has read the one before.
bool in_place(const Plan& plan, const Carried& carried, std::int64_t tiles, int lanes) {
  const std::int64_t rest = tiles % lanes;
  const std::int64_t least = rest == 0 ? lanes - 1 : rest - 1;
  for (std::size_t event = 0; event < plan.events.events.size(); ++event) {
    const SweepEvent& at = plan.events.events[event];
    if (at.kind != SweepEvent::Kind::earlier || at.number != carried.number) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t stored = plan.schedule.shift[carried.last][axis] + plan.schedule.skew[axis] * least;
      if (plan.schedule.shift[event][axis] > stored) return false;
    }
  }
  return true;
}

class SweepRun {
 public:
  SweepRun(Run& run, int threads) : run_(run) {
    prepare_states();
    for (int thread = 0; thread < threads; ++thread) workers_.emplace_back(run, thread == 0);
  }

  SweepKernels::Outcome run() {
    const bool done = run_.blocks.run([&](int thread, std::int64_t block) {
      if (!workers_[static_cast<std::size_t>(thread)].run(block)) return false;
      if (workers_.size() > 1) return true;  // all is in place
      for (State& state : run_.states) std::swap(state.read, state.write);
      return true;
    });
    if (!done) return SweepKernels::Outcome::stopped;
    bring_back();
    return SweepKernels::Outcome::done;
  }

 private:
  void prepare_states() {
    for (const Carried& carried : run_.plan.events.carried) {
      double* const caller = run_.call.state[carried.number];
      callers_.push_back(caller);
      State state{caller, nullptr};
      if (!caller) {
        state.read = allocate();
        std::fill_n(state.read, run_.grid.processes(), never);
      }
      const bool same = in_place(run_.plan, carried, run_.call.tiles, run_.strips.lanes);
      state.write = same ? state.read : allocate();
      run_.states.push_back(state);
    }
  }

  double* allocate() { return arrays_.emplace_back(static_cast<std::size_t>(run_.grid.processes())).data(); }

  void bring_back() {
    for (std::size_t index = 0; index < callers_.size(); ++index) {
      const double* const result = run_.states[index].read;
      if (callers_[index] && result != callers_[index]) std::copy_n(result, run_.grid.processes(), callers_[index]);
    }
  }

  Run& run_;
  std::vector<LargeArray<double>> arrays_;  // by process
  std::vector<double*> callers_;            // per Run::states
  std::deque<BlockRun> workers_;            // per thread
};

}  // namespace

double bytes_of_run(const Plan& plan, const CallExtents& grid, const StepExtents& steps, const SweepCall& call,
                    int lanes, int threads) {
  double arrays = 0;
  for (const Carried& carried : plan.events.carried) {
    if (!call.state[carried.number]) ++arrays;
    if (!in_place(plan, carried, call.tiles, lanes)) ++arrays;
  }
  return sizeof(double) * (steps.buffered * threads + arrays * static_cast<double>(grid.processes()));
}

SweepKernels::Outcome run_sweep(const Plan& plan, const Strips& strips, const CallExtents& grid,
                                const StepExtents& steps, const SweepCall& call, int threads) {
  // Otherwise a block would read what the next but one overwrites.
  const bool all_in_place =
      std::all_of(plan.events.carried.begin(), plan.events.carried.end(),
                  [&](const Carried& carried) { return in_place(plan, carried, call.tiles, strips.lanes); });
  const std::int64_t blocks = (call.tiles + strips.lanes - 1) / strips.lanes;
  const int usable = all_in_place ? static_cast<int>(std::clamp<std::int64_t>(threads, 1, blocks)) : 1;
  Run run{plan, strips, grid, steps, call, {}, strips::Blocks(usable, blocks)};
  return SweepRun(run, usable).run();
}

}  // namespace wave::jit::sweep
