// Random recurrences, of the kinds that shortcuts are proved for and of similar kinds.
#pragma once

#include "tests/parity/systems.h"

#include <cstdint>

namespace wave::test {

// Adds one event `start`. The system's only definitions are constants.
ir::EventId add_random_recurrence(parity::Model& model, std::uint64_t seed);

// The same on one long axis and at most one short one, which may wrap. Each cell reads some cells of earlier slices.
ir::EventId add_random_stencil(parity::Model& model, std::uint64_t seed);

}  // namespace wave::test
