// WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose other programs.
#include "tests/parity/critical_paths.h"

#include "tests/random/environment.h"

#include <catch2/catch.hpp>

TEST_CASE("the critical path that compiled programs record is the one of the network") {
  const std::uint64_t count = wave::test::number_from("WAVE_RANDOM_COUNT", 300),
                      first = wave::test::number_from("WAVE_RANDOM_SEED", 1);
  const auto campaign = wave::parity::compare_random_paths(first, count, wave::test::Resources::none);
  INFO("seeds from " << first << ", " << campaign.programs << " programs, " << campaign.recorded << " paths");
  CHECK(campaign.difference == "");
  CHECK(campaign.recorded > campaign.programs);
}
