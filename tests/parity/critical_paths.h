// Compares critical paths of random processes: as the network finds them, and as they are followed back where compiled
// programs have recorded which of two times was the later.
#pragma once

#include "tests/random/processes.h"

#include <cstdint>
#include <string>

namespace wave::parity {

struct PathCampaign {
  std::string difference;  // of the first program that differs, with its seed and text; empty if none does
  std::size_t programs = 0, recorded = 0, failed = 0;
};

PathCampaign compare_random_paths(std::uint64_t first, std::uint64_t count, test::Resources resources);

}  // namespace wave::parity
