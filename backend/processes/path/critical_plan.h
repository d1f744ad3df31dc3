// Finds the critical path of a process whose program consists of sweeps, collectives that are costs, computation and
// other straight stretches. These are run one after the other, by compiled kernels and over arrays, and the path is
// followed back through them. If not all clocks on the way fit into a part of the memory, some are kept, and those
// between are computed again.
#pragma once

#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/path/critical.h"

#include <optional>

namespace wave::backend::processes {

// Like find_critical_path. Returns nothing if the program is not of this kind, or if something fails;
// a run of the program (recorded_path.h) then finds it. Throws Failed at the deadline.
std::optional<CriticalPath> follow_critical_path(const ProgramInput& input, SweepKernels& kernels,
                                                 const PathTarget& target, bool in_detail);

}  // namespace wave::backend::processes
