// The part of the verifier that looks at processes and the ends of their messages.
#pragma once

#include "ir/system.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::ir {

// Ids and shapes of every process and of all ends: nothing else may look at them before. A block does not contain
// itself, peers have a coordinate for each axis, signals and resources are those of their protocol.
std::vector<std::string> verify_process_ids(const System& system);

// Types of what their statements and steps hold, sites where they can fail.
std::vector<std::string> verify_process_types(const System& system);

// Calls `walk` with every value of a process and the binders that are bound where it stands, statement by statement.
using WalkValue = std::function<void(ValueId, const std::vector<BinderId>&)>;
void walk_process(const System& system, const Process& process, const WalkValue& walk);

}  // namespace wave::ir
