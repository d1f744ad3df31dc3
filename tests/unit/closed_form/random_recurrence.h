// Random recurrences of the kinds that shortcuts are proved for, and of kinds close to them.
#pragma once

#include "tests/parity/systems.h"

#include <cstdint>

namespace wave::test {

// One event `start`, its only definitions constants.
ir::EventId add_random_recurrence(parity::Model& model, std::uint64_t seed);

// The same on one long axis and at most one short one, which may wrap: each cell looks at some of the cells of slices
// before.
ir::EventId add_random_stencil(parity::Model& model, std::uint64_t seed);

}  // namespace wave::test
