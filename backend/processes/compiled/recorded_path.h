// Finds the critical path of programs that have no order known beforehand: they are run as machine code that records
// which of two times was the later (recording.h). Then the path is followed back (follower.h).
#pragma once

#include "backend/processes/compiled/programs.h"
#include "backend/processes/critical_plan.h"

#include <optional>

namespace wave::backend::processes::compiled {

// Like follow_critical_path. Nothing: there is no code, the record takes too much memory, or something fails; the
// network then tells what. Throws Failed at the deadline.
std::optional<CriticalPath> record_critical_path(const NetworkInput& input, Programs& programs,
                                                 const PathTarget& target, bool in_detail);

}  // namespace wave::backend::processes::compiled
