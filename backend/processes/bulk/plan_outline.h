// Tells what is known of a process's plan before its sizes are known, for `--dump schedule`.
#pragma once

#include "ir/system.h"

#include <string>

namespace wave::backend::processes {

// Per process and piece of its program, how it is evaluated where there are compiled sweeps. Empty without processes.
std::string outline_plans(const ir::System& system);

}  // namespace wave::backend::processes
