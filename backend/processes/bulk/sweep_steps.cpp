// See sweep_steps.h.
#include "backend/processes/bulk/sweep_steps.h"

#include "backend/processes/bulk/identical_steps.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <vector>

namespace wave::backend::processes {

namespace {

// After how many tiles all weights come again; 0: they do not.
std::int64_t pattern_of(const SweepCall& call) {
  const auto repeats = [&](std::int64_t length) {
    return std::all_of(call.weights.begin(), call.weights.end(), [&](const SweepCall::Weight& weight) {
      return !weight.by_tile || std::equal(weight.by_tile + length, weight.by_tile + call.tiles, weight.by_tile);
    });
  };
  for (std::int64_t length = 1; length <= std::min(longest_pattern_of_tiles, call.tiles); ++length) {
    if (repeats(length)) return length;
  }
  return 0;
}

class Tiles final : public IdenticalSteps {
 public:
  Tiles(SweepKernels& kernels, const SweepBody& body, const SweepCall& call, const TileSetting& setting,
        std::int64_t pattern)
      : kernels_(kernels), body_(body), call_(call), setting_(setting), pattern_(pattern) {
    for (const std::int64_t extent : call.extents) processes_ *= static_cast<std::size_t>(extent);
    // What nobody wants before and after is wanted in between.
    for (double*& state : call_.state) {
      if (!state) state = own_.emplace_back(processes_, -std::numeric_limits<double>::infinity()).data();
    }
  }

  bool evaluate(std::int64_t steps) override {
    SweepCall part = call_;
    part.tiles = steps;
    part.tiles_of_sweep = call_.tiles;
    const std::int64_t first = done_ % pattern_;
    for (SweepCall::Weight& weight : part.weights) {
      if (weight.by_tile) weight.by_tile += first;
    }
    const SweepKernels::Outcome outcome = kernels_.run(body_, part);
    if (outcome == SweepKernels::Outcome::not_possible && begun_) throw std::bad_alloc();
    is_possible = outcome != SweepKernels::Outcome::not_possible;
    begun_ = true;
    done_ += steps;
    return outcome == SweepKernels::Outcome::done;
  }
  std::vector<std::span<double>> clocks() override {
    std::vector<std::span<double>> clocks;
    for (double* const state : call_.state) clocks.emplace_back(state, processes_);
    return clocks;
  }
  void expect(double seconds) override {
    if (setting_.expect) setting_.expect(seconds);
  }
  void exceed(double clock) override {
    if (setting_.exceed) setting_.exceed(clock);
  }
  ClockMemory& memory() override { return setting_.memory; }

  std::size_t processes() const { return processes_; }

  bool is_possible = true;

 private:
  SweepKernels& kernels_;
  const SweepBody& body_;
  SweepCall call_;
  const TileSetting& setting_;
  const std::int64_t pattern_;
  std::size_t processes_ = 1;
  std::vector<std::vector<double>> own_;
  std::int64_t done_ = 0;
  bool begun_ = false;
};

}  // namespace

bool run_tiles(SweepKernels& kernels, const SweepBody& body, const SweepCall& call, const TileSetting& setting,
               TileCount& count) {
  const std::int64_t pattern = pattern_of(call);
  const std::int64_t together = std::lcm(kernels.needs(body, call).together, std::max<std::int64_t>(pattern, 1));
  if (pattern == 0 || call.tiles < least_blocks_alike * together) {
    count.all += static_cast<double>(call.tiles);
    count.evaluated += static_cast<double>(call.tiles);
    return kernels.run(body, call) == SweepKernels::Outcome::done;
  }
  Tiles tiles(kernels, body, call, setting, pattern);
  const std::int64_t worth = tiles.processes() <= most_processes_in_cache ? least_skip_in_cache : least_skip;
  const StepsTaken taken = take_steps(tiles, {call.tiles, together, setting.exact_below, worth});
  count.all += static_cast<double>(call.tiles);
  count.evaluated += static_cast<double>(taken.evaluated);
  return tiles.is_possible;
}

}  // namespace wave::backend::processes
