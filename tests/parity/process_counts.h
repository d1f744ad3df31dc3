// Checks of what processes are counted to send: in all, by class, by rank and by pair, against lists of what each
// process does, statement by statement.
#pragma once

#include "backend/processes/run.h"

#include <string>

namespace wave::parity {

// Empty if all is as it should be. The run has been evaluated.
std::string check_counts(backend::processes::Run& run, const ir::System& system);

}  // namespace wave::parity
