// Evaluates a sweep by kernels, and skips the tiles that identical_steps.h proves to be like others.
#pragma once

#include "backend/processes/bulk/clock_arrays.h"
#include "backend/processes/bulk/sweep_body.h"

#include <functional>

namespace wave::backend::processes {

struct TileCount {
  double evaluated = 0, all = 0;
};

struct TileSetting {
  double exact_below = 0;                           // StepCount
  ClockMemory& memory;                              // IdenticalSteps
  std::function<void(double seconds)> expect = {};  // IdenticalSteps
  std::function<void(double clock)> exceed = {};    // IdenticalSteps
};

// False: not possible; the state is as before. Where it was stopped, it is of no use. Adds to `count`.
bool run_tiles(SweepKernels& kernels, const SweepBody& body, const SweepCall& call, const TileSetting& setting,
               TileCount& count);

}  // namespace wave::backend::processes
