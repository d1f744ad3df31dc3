// Compares what a machine says a message costs (`override fn send…`) with what its protocols make it cost.
#pragma once

#include "cli/session.h"

namespace wave::cli {

// For every machine of the file that overrides `send`, `recv` or `total`: a warning with the largest difference over
// message sizes. Machines whose parameters have no defaults are left out: nothing can be computed for them.
void compare_overridden_costs(Session& session);

}  // namespace wave::cli
