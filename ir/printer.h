// A system as text, for people: `--dump system` and `--dump schedule`.
#pragma once

#include "ir/schedule.h"
#include "ir/system.h"

#include <string>

namespace wave::ir {

// Definitions by frame, spaces, constraints as `start[i, j] >= start[i-1, j] + W + net.total(EW)`, roots.
std::string print(const System& system);

// One expression, written as in `print`.
std::string print(const System& system, ValueId value);

// For each group of events: the order of the loops or the hyperplane, why, what is hoisted, what is read, and the class
// of costs.
std::string print_schedule(const System& system);

// "rows i outer, j inner falling", "hyperplane i + 2 j", "on demand".
std::string schedule_text(const System& system, const EventGroup& group, const Schedule& schedule);

}  // namespace wave::ir
