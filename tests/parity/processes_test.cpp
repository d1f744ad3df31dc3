// Random processes: the simulator and all ways to evaluate them agree. WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose
// other programs.
#include "tests/parity/processes.h"

#include "tests/parity/process_ways.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

using wave::parity::Evaluated;
using wave::test::number_from;
using wave::test::rounds_of;

namespace {

constexpr std::uint64_t programs = 440;

// Of a feature as rare as one in a hundred programs it says nothing whether a test meets it.
constexpr std::size_t rare = 100;
// Of fewer programs it says nothing what they have.
constexpr std::size_t many = 100;

void compare(std::uint64_t part, wave::test::Resources resources = wave::test::Resources::some) {
  const bool have_resources = resources == wave::test::Resources::always;
  const std::uint64_t count = rounds_of(programs) / 4;
  const std::uint64_t first = number_from("WAVE_RANDOM_SEED", 1) + part * count;
  wave::parity::let_threads_decide();
  const auto campaign = wave::parity::compare_random_processes(first, count, resources);
  INFO("seeds from " << first << ", " << campaign.programs << " programs");
  REQUIRE(campaign.difference == "");
  CHECK(campaign.unsupported == 0);
  if (count < many) return;
  CHECK(campaign.failed > 0);
  CHECK(campaign.failed * 2 < campaign.programs);
  const Evaluated all = campaign.by_feature.at("");
  const auto programs_with = [&](const char* feature) {
    const auto found = campaign.by_feature.find(feature);
    return found == campaign.by_feature.end() ? 0 : found->second.programs;
  };
  CHECK((programs_with("via") + programs_with("acquire")) * (have_resources ? 1 : 5) > all.programs);
  CHECK(programs_with("on arrival") * (have_resources ? 4 : 20) > all.programs);
  CHECK(campaign.paths > campaign.programs);
  CHECK(campaign.breakdowns > campaign.programs);
  CHECK(campaign.derivatives > campaign.programs);
  CHECK(campaign.reordered * 50 < campaign.derivatives);
  std::size_t without = 0;
  for (const auto& [why, number] : campaign.no_derivative) without += number;
  CHECK(without * 100 < campaign.derivatives);
  CHECK(campaign.services > campaign.programs);
  CHECK(campaign.shown > 0);
  CHECK(campaign.starved > 0);
  CHECK(campaign.recorded * 4 > campaign.programs);
  CHECK(campaign.phases > 0);
  if (have_resources) return;
  CHECK(campaign.swept * 10 > campaign.programs);
  CHECK(campaign.on_threads * 10 > campaign.programs);
  CHECK(campaign.followed * 10 > campaign.programs);
  // Every way is taken, and with all that people write.
  CHECK(all.planned * 20 > all.programs);
  CHECK(all.pieces * 20 > all.programs);
  CHECK(all.compiled * 20 > all.programs);
  // There is code for all that fails nowhere, but where processes share resources and the processor is one, too.
  const Evaluated both = campaign.by_feature.at("shared resources and on arrival");
  CHECK(all.network == both.network);
  CHECK(all.also_compiled * 3 > all.programs);
  for (const auto& [feature, evaluated] : campaign.by_feature) {
    if (evaluated.programs * rare < 20 * count || feature == ".rank" || feature == "shared resources and on arrival")
      continue;
    INFO(feature << " in " << evaluated.programs << " programs");
    CHECK(evaluated.also_compiled > 0);
  }
}

}  // namespace

// The test has parts that can run side by side. (Catch cannot show a failure of a test whose name has a colon beyond
// its first line.)
TEST_CASE("random processes, first part: the same times in the simulator and wherever they are evaluated") {
  compare(0);
}
TEST_CASE("random processes, second part: the same times in the simulator and wherever they are evaluated") {
  compare(1);
}
TEST_CASE("random processes, third part: the same times in the simulator and wherever they are evaluated") {
  compare(2);
}
TEST_CASE("random processes, fourth part: the same times in the simulator and wherever they are evaluated") {
  compare(3);
}
TEST_CASE("random sweeps in streams: the same in the simulator and wherever they are evaluated") {
  constexpr std::uint64_t count = wave::test::fewer(200);
  const wave::parity::ProcessCampaign campaign = wave::parity::compare_random_streams(1, count);
  CHECK(campaign.difference == "");
  CHECK(campaign.programs == count);
  CHECK(campaign.unsupported == 0);
  CHECK(campaign.by_feature.at("").streams * 2 > count);
}
TEST_CASE("random values: the same in the simulator and wherever they are evaluated") {
  constexpr std::uint64_t count = wave::test::fewer(60);
  const wave::parity::ProcessCampaign campaign = wave::parity::compare_random_values(1, count);
  CHECK(campaign.difference == "");
  CHECK(campaign.programs == count);
  CHECK(campaign.unsupported == 0);
  CHECK(campaign.failed > 0);
}
TEST_CASE("random processes with resources: the same times in the simulator and wherever they are evaluated") {
  compare(4, wave::test::Resources::always);
}
