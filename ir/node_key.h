// A node as a list of numbers: equal lists, equal nodes. For sharing and for comparing.
#pragma once

#include "ir/scalar.h"

#include <cstdint>
#include <vector>

namespace wave::ir {

std::vector<std::uint64_t> node_key(const Node& node, ScalarType type);

}  // namespace wave::ir
