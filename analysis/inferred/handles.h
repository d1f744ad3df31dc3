// The names of operations in the background, by which a model waits for them.
#pragma once

#include "analysis/inferred/tree.h"

#include <cstddef>
#include <map>
#include <string>

namespace wave::analysis::inferred {

// By the number of the call. Operations that the same waits end have one name; a name is free again behind the last of
// them.
std::map<std::size_t, std::string> handles_of(const Tree& tree);

}  // namespace wave::analysis::inferred
