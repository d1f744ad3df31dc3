// Random recurrences on larger grids than those of random systems, with the kinds of costs, offsets and guards that
// decide how an engine evaluates them. Extents and costs are parameters.
#pragma once

#include "backend/engine.h"
#include "ir/system.h"

#include <cstdint>
#include <vector>

namespace wave::test {

ir::System random_recurrence(std::uint64_t seed);

// Values for the extents, up to `largest`, and for some of the costs.
std::vector<backend::Binding> random_extents(const ir::System& system, std::uint64_t seed, std::int64_t largest);

}  // namespace wave::test
