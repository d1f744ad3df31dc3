// Finds the critical path of a process whose program consists of sweeps, collectives that are costs, computation and
// other straight stretches. These are run one after the other, by compiled kernels and over arrays, and the path is
// followed back through them. If not all clocks on the way fit into a part of the memory, some are kept, and those
// between are computed again.
#pragma once

#include "backend/processes/critical.h"
#include "backend/processes/sweep_body.h"

#include <optional>

namespace wave::backend::processes {

struct PathTarget {
  std::optional<std::int64_t> rank = {};  // none: the last finisher
  // The time that it spends in this phase; not valid: when it finishes.
  ir::PhaseId phase = {};
  bool is_left_last = false;  // not the time spent in the phase, but when it is left for the last time
};

// Like find_critical_path, of phases, too. Returns nothing if the program is not of this kind, or if something fails;
// the network then reports the failure. Throws Failed at the deadline.
std::optional<CriticalPath> follow_critical_path(const NetworkInput& input, SweepKernels& kernels,
                                                 const PathTarget& target, bool in_detail);

}  // namespace wave::backend::processes
