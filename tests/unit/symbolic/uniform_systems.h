// Random systems with recurrences of uniform or nearly uniform costs, read in all kinds of places.
#pragma once

#include "ir/system.h"

#include <cstdint>

namespace wave::test {

struct UniformOptions {
  bool near_misses = true;  // adds a weight that looks at an index, a guard, an offset of 2, an axis that wraps, ...
  bool failures = true;     // adds weights, extents and indices that fail or are not finite
};

ir::System random_uniform_system(std::uint64_t seed, const UniformOptions& options = {});

}  // namespace wave::test
