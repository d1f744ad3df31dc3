// Random sweeps from one corner after the other, on machines whose interfaces serve what arrives: what may be served in
// streams (backend/processes/bulk/streams.h).
#pragma once

#include "tests/random/processes.h"

#include <cstdint>

namespace wave::test {

// A model `M` with a process `p`. Times are small whole numbers, so that many things happen at once, or differ by
// little.
WrittenProcess random_streams(std::uint64_t seed);

}  // namespace wave::test
