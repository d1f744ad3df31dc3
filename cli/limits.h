// Bounds what one run of the program may take. Engines keep to their limits by themselves, and say more when they fail.
// These bounds hold for everything else, including the front end.
#pragma once

#include "backend/engine.h"
#include "cli/options/common.h"

namespace wave::cli {

// Ends the program with a diagnostic some time after the time limit, unless stop_watching() is called before; and
// makes allocations far beyond the memory limit fail.
void start_watching(const CommonOptions& options);
void stop_watching();

// For an engine, counted from the start of the program.
backend::Limits engine_limits(const CommonOptions& options);

}  // namespace wave::cli
