// The intervals contain the truth as often as they claim, for machines with random thresholds and times with 5 % noise.
#include "tests/unit/machine_fit/coverage.h"

#include "tests/unit/machine_fit/benchmarks.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace wave::tests;

namespace {

// Times differ by a third or more where one protocol takes over from another. A fit may miss a smaller step in such
// noise, and nothing can be claimed about a step that it misses.
Sp2Times random_machine(Noise& noise) {
  for (;;) {
    Sp2Times machine;
    machine.L = noise.uniform(5, 35);
    machine.o_s = noise.uniform(5, 25);
    machine.o_l = machine.o_s * noise.uniform(1.5, 3.5);
    machine.G_s = noise.uniform(0.02, 0.08);
    machine.G_l = machine.G_s * noise.uniform(0.3, 0.7);
    machine.small = std::floor(256 * std::pow(8, noise.uniform(0, 1)));
    machine.eager = std::floor(machine.small * noise.uniform(3, 8));
    if (machine.at(machine.small + 1) > 1.35 * machine.at(machine.small)) return machine;
  }
}

}  // namespace

TEST_CASE("intervals of lines and thresholds hold the truth as often as they claim", "[long]") {
  const std::uint64_t seed = seed_or(31);
  Noise noise(seed, 0.05);
  const int draws = draws_of(400);
  int other = 0, thresholds[2] = {};
  std::vector<int> misses(6, 0);
  for (int draw = 0; draw < draws; ++draw) {
    const Sp2Times machine = random_machine(noise);
    const auto points =
        points_at(sizes_by(1.12, 16, 40 * machine.eager), [&](double s) { return noise(machine.at(s)); });
    const auto found = fit::find_segments(points);
    REQUIRE(found);
    // With another number of segments, all intervals count as misses.
    if (found->segments.size() != 3) {
      ++other;
      for (auto& one : misses) ++one;
      ++thresholds[0];
      ++thresholds[1];
      continue;
    }
    const double at_zero[] = {2 * machine.o_s + machine.L, 2 * machine.o_l + machine.L,
                              3 * machine.o_s + 3 * machine.L + 2 * machine.o_l};
    const double per_byte[] = {machine.G_s, machine.G_l, machine.G_l};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& one = found->segments[k];
      misses[k] += one.lower.at_zero <= at_zero[k] && at_zero[k] <= one.upper.at_zero ? 0 : 1;
      misses[3 + k] += one.lower.per_byte <= per_byte[k] && per_byte[k] <= one.upper.per_byte ? 0 : 1;
    }
    const double ends[] = {machine.small, machine.eager};
    for (std::size_t k = 0; k < 2; ++k) {
      thresholds[k] += found->thresholds[k].lowest <= ends[k] && ends[k] < found->thresholds[k].highest ? 0 : 1;
    }
  }
  INFO("WAVE_SEED=" << seed << ": misses of " << draws << ": at 0 " << misses[0] << " " << misses[1] << " " << misses[2]
                    << ", per byte " << misses[3] << " " << misses[4] << " " << misses[5] << ", thresholds "
                    << thresholds[0] << " " << thresholds[1] << "; other numbers of segments " << other);
  const int most = most_misses(draws, 0.05);
  for (const int one : misses) CHECK(one <= most);
  for (const int one : thresholds) CHECK(one <= most);
  // The intervals are not simply wide: all six together miss about as often as they claim.
  int sum = 0;
  for (const int one : misses) sum += one;
  CHECK(sum >= 6 * draws / 40);
}

// `fit_coverage` draws more, with other noise, and shows each share.
TEST_CASE(
    "intervals of every number of a machine hold the truth as often as they claim, through the benchmarks' patterns",
    "[long]") {
  const std::uint64_t seed = seed_or(1);
  const struct {
    const char* machines;
    CoverageOf (*of)(std::uint64_t, int, double);
    int draws;
  } all[] = {{"of one pair", coverage_of_one_pair, 1000},
             {"with small overheads", coverage_of_small_overheads, 1000},
             {"of several pairs", coverage_of_pairs, 400}};
  for (const auto& one : all) {
    const CoverageOf found = one.of(seed, draws_of(one.draws), 0.02);
    INFO("WAVE_SEED=" << seed << " machines " << one.machines << ": other classes in " << found.other_classes << " of "
                      << found.draws);
    CHECK(found.other_classes <= found.draws / 20);
    for (const auto& [name, coverage] : found.numbers) {
      INFO(name << ": " << coverage.held << " of " << coverage.stated);
      CHECK(coverage.stated >= found.draws / 2);
      // 93 to 97 %, and what chance does to so many draws.
      const double chance = 3 * std::sqrt(0.95 * 0.05 / coverage.stated);
      CHECK(coverage.share() >= 0.935 - chance);
      CHECK(coverage.share() <= 0.965 + chance);
    }
  }
}
