// Finds the critical path of any program: it is run, and records which of two times was the later (recording.h). Then
// the path is followed back (follower.h).
#pragma once

#include "backend/processes/engine/programs.h"
#include "backend/processes/path/critical.h"

namespace wave::backend::processes::engine {

// `programs`: null, instructions are run. Throws Failed: as run_whole_program; memory_limit, too, where the record
// takes too much.
CriticalPath find_critical_path(const ProgramInput& input, Programs* programs, const PathTarget& target,
                                bool in_detail);

}  // namespace wave::backend::processes::engine
