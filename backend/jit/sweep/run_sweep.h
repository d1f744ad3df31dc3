// A sweep: its blocks of tiles, one after the other or each a little behind the one before on a thread of its own.
#pragma once

#include "backend/jit/sweep/run_block.h"

namespace wave::jit::sweep {

// Beside the state.
double bytes_of_run(const Plan& plan, const CallExtents& grid, const StepExtents& steps,
                    const backend::processes::SweepCall& call, int threads);

// Done, or stopped. Throws std::bad_alloc before anything is evaluated.
backend::processes::SweepKernels::Outcome run_sweep(const Plan& plan, const Strips& strips, const CallExtents& grid,
                                                    const StepExtents& steps, const backend::processes::SweepCall& call,
                                                    int threads);

}  // namespace wave::jit::sweep
