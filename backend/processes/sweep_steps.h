// A sweep by kernels, without the tiles that identical_steps.h shows to be like others.
#pragma once

#include "backend/processes/sweep_body.h"

#include <cstdint>
#include <functional>

namespace wave::backend::processes {

struct TileCount {
  double evaluated = 0, all = 0;
};

struct TileLimits {
  double exact_below = 0;                                   // StepCount
  std::function<bool(std::int64_t bytes)> claim_memory;     // IdenticalSteps
};

// False: not possible; the state is as before. Where it was stopped, it is of no use. Adds to `count`.
bool run_tiles(SweepKernels& kernels, const SweepBody& body, const SweepCall& call, const TileLimits& limits, TileCount& count);

}  // namespace wave::backend::processes
