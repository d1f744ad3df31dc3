// The files that a command line asks to be written.
#pragma once

#include "cli/command_line.h"
#include "cli/console.h"

#include <optional>

namespace wave::cli {

// Makes them known, so that none of them can be read from now on. The exit code, reported, where two are one file.
std::optional<int> claim_outputs(const Request& request, Console& console);

}  // namespace wave::cli
