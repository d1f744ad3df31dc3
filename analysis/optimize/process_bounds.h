// Finds the least time that a process takes, whatever it waits for.
#pragma once

#include "ir/interval.h"

namespace wave::analysis {

// In ps: each of its processes computes and takes part in collectives for at least this. The evaluator knows the box of
// parameters; the indices of the process are bound here. 0 where nothing is known.
double least_time(const ir::System& system, ir::ProcessId process, ir::IntervalEvaluator& evaluator);

}  // namespace wave::analysis
