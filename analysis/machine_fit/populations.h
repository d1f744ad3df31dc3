// Files that are fitted together but were not measured between the same kind of processes: on one node and between
// nodes, say. A line through both describes neither.
#pragma once

#include "analysis/machine_fit/timings.h"

namespace wave::analysis::machine_fit {

// Warns about every measured quantity of which two files have different times.
void warn_of_populations(const Timings& timings, Tool tool, const frontend::Sources& sources,
                         frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::machine_fit
