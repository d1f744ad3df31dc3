// Which rank gets which points, in simulated time.
#include "simulation.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace wave;
using ranks::Scheduler;
using test::simulate;
using test::Simulated;

namespace {

std::vector<PointRange> sorted_and_joined(std::vector<PointRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](PointRange a, PointRange b) { return a.begin < b.begin; });
  std::vector<PointRange> joined;
  for (const PointRange range : ranges) {
    if (!joined.empty() && joined.back().end == range.begin)
      joined.back().end = range.end;
    else
      joined.push_back(range);
  }
  return joined;
}

std::uint64_t count(const std::vector<PointRange>& ranges) {
  return std::accumulate(ranges.begin(), ranges.end(), std::uint64_t{0},
                         [](std::uint64_t sum, PointRange r) { return sum + r.size(); });
}

}  // namespace

TEST_CASE("each point is done once, in whatever pieces and on however many ranks") {
  const std::uint64_t seed = test::number_from("WAVE_RANDOM_SEED", 1);
  CAPTURE(seed);
  test::Choices choices(seed);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::vector<PointRange> open;
    std::uint64_t at = choices.below(5);
    for (std::size_t pieces = 1 + choices.below(6); pieces > 0; --pieces) {
      const std::uint64_t size = 1 + choices.below(choices.chance(0.5) ? 10 : 3000);
      open.push_back({at, at + size});
      at += size + 1 + choices.below(100);
    }
    const int ranks = 1 + static_cast<int>(choices.below(9));
    std::vector<test::Death> deaths;
    for (int rank = 1; rank < ranks; ++rank) {
      if (choices.chance(0.3)) deaths.push_back({rank, static_cast<double>(choices.below(1000)) * 1e-2});
    }
    const double scale = std::pow(10.0, -static_cast<double>(choices.below(8)));
    const std::uint64_t mark = choices.below(10) + 1;
    const auto cost = [&](std::uint64_t i) { return scale * (i % mark == 0 ? 100 : 1); };
    const Simulated study = simulate(open, ranks, cost, 1e-4, deaths);
    // The points that a dead rank held are in the study once, computed by another rank.
    CHECK(count(study.done) == count(open));
    CHECK(sorted_and_joined(study.done) == open);
  }
}

TEST_CASE("points of a hundred nanoseconds are no slower for the notices") {
  const std::uint64_t points = 100'000'000;
  const Simulated study = simulate({{0, points}}, 4, [](std::uint64_t) { return 1e-7; }, 1e-3);
  CHECK(study.end < 1.1 * 1e-7 * static_cast<double>(points) / 4);
  CHECK(study.chunks < points / 100'000);
}

TEST_CASE("points of a minute are shared one by one") {
  const Simulated study = simulate({{0, 1000}}, 8, [](std::uint64_t) { return 60.0; }, 1e-3);
  CHECK(study.end < 60 * (1000 / 8 + 1.01));
  CHECK(study.most_points_held == 8);  // no more points than these are lost, however the job ends
}

TEST_CASE("the ranks end together where costs differ by orders of magnitude") {
  const auto near_the_best = [](std::uint64_t points, int ranks, const auto& cost, double allowed) {
    double work = 0, longest = 0;
    for (std::uint64_t i = 0; i < points; ++i) {
      work += cost(i);
      longest = std::max(longest, cost(i));
    }
    const Simulated study = simulate({{0, points}}, ranks, cost, 1e-3);
    INFO(study.end << " s of " << work / ranks);
    // No order does better than the average. The last chunk may begin when all others are done. It may take half as
    // long as a chunk should, or be a single point.
    CHECK(study.end < work / ranks * allowed + 4 * 0.25 + longest);
  };
  SECTION("rising steadily") {
    near_the_best(20'000, 8, [](std::uint64_t i) { return 1e-6 * std::exp(static_cast<double>(i) / 1500); }, 1.1);
  }
  SECTION("falling steadily") {
    near_the_best(20'000, 8, [](std::uint64_t i) { return 0.5 * std::exp(-static_cast<double>(i) / 1500); }, 1.1);
  }
  SECTION("up and down with an inner parameter") {
    near_the_best(20'000, 8, [](std::uint64_t i) { return 1e-6 * std::exp2(static_cast<double>(i % 17)); }, 1.1);
  }
  SECTION("a million times as much at once, half way") {
    near_the_best(20'000, 8, [](std::uint64_t i) { return i < 10'000 ? 1e-6 : 1.0; }, 1.1);
  }
}

TEST_CASE("where points become slow at once, little is under way with any rank") {
  // A rank leaves a range unfinished after four times its intended time, and the next ranges are small.
  const auto cost = [](std::uint64_t i) { return i < 1'000'000 ? 1e-6 : 0.1; };
  const Simulated study = simulate({{0, 1'002'000}}, 4, cost, 1e-3);
  for (const PointRange range : study.done) {
    if (range.begin >= 1'000'000) CHECK(static_cast<double>(range.size()) * 0.1 <= 4 * 0.25 + 0.1 + 1e-9);
  }
}

TEST_CASE("a rank that dies takes only what it held with it") {
  const auto cost = [](std::uint64_t) { return 1e-3; };
  const Simulated quiet = simulate({{0, 50'000}}, 4, cost, 1e-3);
  const Simulated study = simulate({{0, 50'000}}, 4, cost, 1e-3, {{2, 5.0}, {3, 6.0}});
  CHECK(study.points_lost > 0);
  CHECK(study.points_lost < 2 * 8 * 250);
  CHECK(count(study.done) == 50'000);
  CHECK(study.end > quiet.end);
  CHECK(study.busy[2] <= 5.0);
}

TEST_CASE("one rank alone computes in order") {
  const Simulated study = simulate({{5, 10}, {20, 40'000}}, 1, [](std::uint64_t) { return 1e-5; }, 0);
  CHECK(std::is_sorted(study.done.begin(), study.done.end(),
                       [](PointRange a, PointRange b) { return a.begin < b.begin; }));
}

TEST_CASE("what is not held is not accepted") {
  Scheduler scheduler({{0, 10}}, 3);
  const PointRange first = *scheduler.next(1);
  CHECK_FALSE(scheduler.next(1));
  CHECK_FALSE(scheduler.done(2, first, 1));
  CHECK_FALSE(scheduler.done(1, {first.begin, first.end + 1}, 1));
  CHECK_FALSE(scheduler.done(1, {first.begin + 1, first.end + 1}, 1));
  CHECK_FALSE(scheduler.done(1, {first.begin, first.begin}, 1));
  CHECK(scheduler.left() == 10);

  scheduler.lost(1);
  scheduler.lost(1);
  CHECK(scheduler.left() == 10);
  CHECK_FALSE(scheduler.done(1, first, 1));
  CHECK_FALSE(scheduler.next(1));
  CHECK(*scheduler.next(2) == first);
  CHECK(scheduler.done(2, first, 1));
  CHECK_FALSE(scheduler.done(2, first, 1));
  CHECK(scheduler.left() == 10 - first.size());
}

TEST_CASE("clocks that jump do not matter") {
  Scheduler scheduler({{0, 1000}}, 1);
  const double odd[] = {0, -1, 1e300, std::nan(""), HUGE_VAL, 1e-300};
  for (std::size_t i = 0; scheduler.left() > 0; ++i) {
    const auto range = scheduler.next(0);
    REQUIRE(range);
    REQUIRE(scheduler.done(0, *range, odd[i % std::size(odd)]));
  }
  CHECK(scheduler.left() == 0);
  CHECK_FALSE(scheduler.next(0));
}
