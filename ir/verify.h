// Checks that a system keeps the rules that the engines rely on.
#pragma once

#include "ir/system.h"

#include <string>
#include <vector>

namespace wave::ir {

// What is wrong, one line each; empty for a system that engines accept. Checked: ids are in range and no node is
// its own operand; types fit; what a value refers to is visible in its frame; binders are bound where they are looked
// at; `Neighbour` and `quantize` stand in event bodies alone, on the event's own space and with an offset per axis;
// events of constraints are real; tables are filled with rising keys.
std::vector<std::string> verify(const System& system);

}  // namespace wave::ir
