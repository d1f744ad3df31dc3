// Random recurrences, of the kinds that shortcuts are proved for and of similar kinds.
#pragma once

#include "tests/parity/systems.h"

#include <cstdint>

namespace wave::test {

// Adds one event `start`. The system's only definitions are constants.
ir::EventId add_random_recurrence(parity::Model& model, std::uint64_t seed);

}  // namespace wave::test
