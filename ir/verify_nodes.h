// The part of the verifier that looks at nodes and tables one by one.
#pragma once

#include "ir/system.h"

#include <string>
#include <vector>

namespace wave::ir {

// Every id refers to something. Nothing else may look at a system before.
std::vector<std::string> verify_ids(const System& system);

// Types of operands and results, sites where an operation can fail, tables.
std::vector<std::string> verify_types(const System& system);

}  // namespace wave::ir
