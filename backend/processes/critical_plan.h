// The critical path of a process whose program is made of sweeps, collectives that are costs, computation and other
// straight stretches: these are run one after the other natively, and the path is followed back through them. Where not
// all clocks on the way fit in a part of the memory, some are kept and those between are found again.
#pragma once

#include "backend/processes/critical.h"

#include <optional>

namespace wave::backend::processes {

// As find_critical_path. Nothing where the program is not of this kind, or where something fails, which the network
// words. Throws Failed at the deadline.
std::optional<CriticalPath> follow_critical_path(const NetworkInput& input, std::optional<std::int64_t> rank,
                                                 bool in_detail);

}  // namespace wave::backend::processes
