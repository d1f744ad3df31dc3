// A few random systems; `parity_campaign` runs many. WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose others.
#include "tests/parity/random.h"

#include "tests/random/environment.h"

#include <catch2/catch.hpp>

using wave::test::number_from;
using wave::test::rounds_of;

TEST_CASE("random systems have the same bits and the same failures in both engines") {
  const std::uint64_t first = number_from("WAVE_RANDOM_SEED", 1), count = rounds_of(25);
  const auto campaign = wave::parity::compare_random_systems(first, count);
  INFO("seeds from " << first << ", " << campaign.systems << " systems");
  CHECK(campaign.difference == "");
  CHECK(campaign.failures * 2 < campaign.roots);
}
