// Random processes: the simulator, the interpreter and the JIT agree. WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose
// other programs.
#include "tests/parity/processes.h"

#include "tests/random/environment.h"

#include <catch2/catch.hpp>

using wave::test::number_from;

namespace {

// Programs take seven times as long under the sanitizers.
#ifdef WAVE_SANITIZED
constexpr std::uint64_t programs = 400;
#else
constexpr std::uint64_t programs = 2000;
#endif

void compare(std::uint64_t part, wave::test::Resources resources = wave::test::Resources::some) {
  const std::uint64_t count = number_from("WAVE_RANDOM_COUNT", programs) / 4;
  const std::uint64_t first = number_from("WAVE_RANDOM_SEED", 1) + part * count;
  const auto campaign = wave::parity::compare_random_processes(first, count, resources);
  INFO("seeds from " << first << ", " << campaign.programs << " programs");
  CHECK(campaign.difference == "");
  CHECK(campaign.failed > 0);
  CHECK(campaign.failed * 2 < campaign.programs);
  CHECK(campaign.unsupported == 0);
  CHECK((campaign.swept * 10 > campaign.programs || resources == wave::test::Resources::always));
  CHECK(campaign.with_resources * (resources == wave::test::Resources::always ? 2 : 5) > campaign.programs);
  CHECK(campaign.on_arrival * (resources == wave::test::Resources::always ? 4 : 20) > campaign.programs);
}

}  // namespace

// The test has parts that can run side by side.
TEST_CASE("random processes have the same times in the simulator and both engines: first part") { compare(0); }
TEST_CASE("random processes have the same times in the simulator and both engines: second part") { compare(1); }
TEST_CASE("random processes have the same times in the simulator and both engines: third part") { compare(2); }
TEST_CASE("random processes have the same times in the simulator and both engines: fourth part") { compare(3); }
TEST_CASE("random processes with resources have the same times in the simulator and both engines") {
  compare(4, wave::test::Resources::always);
}
