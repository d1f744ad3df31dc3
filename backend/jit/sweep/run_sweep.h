// The loops around a compiled strip: blocks of tiles, planes, strips of rows.
#pragma once

#include "backend/jit/sweep/emit_strip.h"
#include "backend/processes/sweep_body.h"

namespace wave::jit::sweep {

// A call whose grid has three axes, those that are missing of extent 1.
struct Grid {
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::array<std::int64_t, 3> strides{};     // of the arrays, in the direction of the sweep
  std::int64_t origin = 0;                   // where the sweep begins
  std::int64_t processes() const { return extents[0] * extents[1] * extents[2]; }
};

// Null: not needed (which_strips).
struct Strips {
  int lanes = 0;
  int rows = 0, border_rows = 0;
  StripFunction full = nullptr;              // inner rows, every lane holds a tile
  StripFunction ragged = nullptr;            // inner rows, fewer tiles
  StripFunction border = nullptr;            // rows near the borders, any number of tiles
};

// Whether a call has strips of inner rows, and others.
struct StripKinds {
  bool inner = false, border = false;
};
StripKinds which_strips(const Plan& plan, const Grid& grid, int last_lane, int rows);

// Doubles in the buffers of a run, besides what is by process.
double buffered(const Plan& plan, const Grid& grid, int lanes, int rows);

// The values of `numbers` by class; nothing where one is not a number or +infinity: the plan must not subtract.
std::optional<std::vector<double>> weight_tables(const Plan& plan, const backend::processes::SweepCall& call);

// Done, or stopped.
backend::processes::SweepKernels::Outcome run_sweep(const Plan& plan, const Strips& strips, const Grid& grid,
                                                    const std::vector<double>& tables,
                                                    const backend::processes::SweepCall& call);

}  // namespace wave::jit::sweep
