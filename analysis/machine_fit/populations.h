// Files that are fitted together but were not measured between the same kind of processes: on one node and between
// nodes, say. A line through both describes neither.
#pragma once

#include "analysis/machine_fit/timings.h"

namespace wave::analysis::machine_fit {

// A warning for everything that was measured of which the times of one file lie beside those of another.
void warn_of_populations(const Timings& timings, Tool tool, const frontend::Sources& sources,
                         frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::machine_fit
