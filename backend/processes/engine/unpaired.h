// Messages that do not fit together: their two ends name different sizes, or one of them is never called.
#pragma once

#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/input.h"

#include <optional>

namespace wave::backend::processes::engine {

// Pairs the ends of all messages of the program, without clocks. Of several whose sizes differ, the first by receiver
// and its program; else of several that are alone, the first by process and program. Nothing: all fit. Throws Failed:
// limits, and what scalars meet.
std::optional<ir::Failure> find_unpaired(const ProgramInput& input, const program::Bytecode& program);

}  // namespace wave::backend::processes::engine
