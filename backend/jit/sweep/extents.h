// A call's grid in the steps of a schedule: how many there are, what is kept of them, and which of them need guards.
#pragma once

#include "backend/jit/sweep/plan.h"

namespace wave::jit::sweep {

// A call whose grid has three axes, those that are missing of extent 1.
struct CallExtents {
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::array<std::int64_t, 3> strides{};  // of the arrays, in the direction of the sweep
  std::int64_t origin = 0;                // where the sweep begins
  std::int64_t processes() const { return extents[0] * extents[1] * extents[2]; }
};

// By how much events may lag behind the step on an axis, on lanes up to the last one.
struct Lag {
  std::int64_t least = 0, most = 0;
};
Lag lag_in_steps(const Plan& plan, std::size_t axis, std::int64_t last_lane);
Lag lag_in_places(const Plan& plan, std::size_t axis, std::int64_t last_lane);

// The number of steps that planes, rows and columns take, from the first.
std::int64_t steps_on(std::size_t axis, const Plan& plan, const CallExtents& grid, std::int64_t last_lane);

// Where strips have at most so many rows.
struct StepExtents {
  StepExtents() = default;
  StepExtents(const Plan& plan, const CallExtents& grid, int lanes, int rows);
  std::int64_t line = 0, plane = 0;  // of buffers, in vectors
  // The record of a block of tiles: bytes of a column, a row and a plane of steps, and of all.
  struct {
    std::int64_t column = 0, row = 0, plane = 0, block = 0;
  } record;
  double buffered = 0;  // doubles in the buffers of a thread
};

// Whether a call has strips of inner rows, and others.
struct StripKinds {
  bool inner = false, border = false;
};
StripKinds which_strips(const Plan& plan, const CallExtents& grid, int last_lane, int rows);

}  // namespace wave::jit::sweep
