// One program of two, which two ranks of a run do.
#pragma once

#include "analysis/inferred/tree.h"

namespace wave::analysis::inferred {

// Keeps the order of both, and takes as one what both do: as much as there is.
std::vector<Node> merge(std::vector<Node> one, std::vector<Node> other);

}  // namespace wave::analysis::inferred
