// Holds an inferred model against the runs that it was made of, or others, call by call.
#pragma once

#include "analysis/inferred/calls.h"

#include <string>
#include <vector>

namespace wave::analysis::inferred {

// Runs of more calls are not compared: what the model does would take too much memory.
bool can_be_compared(const Run& run);

// What the first rank that differs does and the model does not, or why the model has no processes to compare; empty:
// all ranks do the same, or the run cannot be compared. `given`: the parameters, as `-D` takes them.
std::string difference(const std::string& text, const std::vector<std::string>& given, const Run& run,
                       const Names& names);

}  // namespace wave::analysis::inferred
