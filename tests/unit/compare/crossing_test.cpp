// Finds where one side overtakes the other, and verifies it on the neighbours.
#include "analysis/compare/crossing.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

using namespace wave::analysis;

namespace {

const auto always = [](std::uint64_t) { return true; };
const auto never = [](std::uint64_t) { return false; };

template <class Value, class Function>
EvaluateSides<Value> sides_of(const Function& function, std::uint64_t* count = nullptr) {
  return [=](std::span<const Value> values) {
    std::vector<TwoValues> sides;
    for (const Value value : values) sides.push_back(function(value));
    if (count) *count += values.size();
    return sides;
  };
}

// One machine has a low latency, the other a high bandwidth.
TwoValues two_machines(std::int64_t n) { return {static_cast<double>(n) * 3, 100 + static_cast<double>(n)}; }

}  // namespace

TEST_CASE("the first integer at which the other side is the smaller one, and its neighbour") {
  for (const bool exhaustive : {false, true}) {
    const auto found =
        find_crossings(1, 1000, {}, sides_of<std::int64_t>(two_machines), [&](std::uint64_t) { return exhaustive; });
    REQUIRE(found.stretches.size() == 3);
    CHECK(found.stretches[0].which == Smaller::first);
    CHECK(found.stretches[0].begin == 1);
    CHECK(found.stretches[0].end == 49);
    CHECK(found.stretches[1].which == Smaller::equal);
    CHECK(found.stretches[1].begin == 50);
    CHECK(found.stretches[1].end == 50);
    CHECK(found.stretches[2].which == Smaller::second);
    CHECK(found.stretches[2].begin == 51);
    CHECK(found.stretches[2].end == 1000);
    CHECK(found.stretches[2].at_begin.first == 153);
    CHECK(found.stretches[2].at_begin.second == 151);
    CHECK((found.looked_at == 1000) == exhaustive);
  }
}

TEST_CASE("without a crossing there is one stretch") {
  const auto found = find_crossings(1, 40, {}, sides_of<std::int64_t>(two_machines), never);
  REQUIRE(found.stretches.size() == 1);
  CHECK(found.stretches[0].end == 40);
  CHECK(found.looked_at == 40);  // few enough that the samples include every value
}

TEST_CASE("a dip of one value is found when all values are looked at") {
  const auto dip = [](std::int64_t n) { return TwoValues{n == 777777 ? 0.0 : 2.0, 1.0}; };
  const auto all = find_crossings(1, 1000000, {}, sides_of<std::int64_t>(dip), always);
  REQUIRE(all.stretches.size() == 3);
  CHECK(all.stretches[1].begin == 777777);
  CHECK(all.stretches[1].end == 777777);
  CHECK(all.looked_at == 1000000);
  const auto some = find_crossings(1, 1000000, {}, sides_of<std::int64_t>(dip), never);
  CHECK(some.stretches.size() == 1);
  CHECK(some.looked_at < 1000);
  const std::vector<std::int64_t> listed{777777};
  CHECK(find_crossings(1, 1000000, listed, sides_of<std::int64_t>(dip), never).stretches.size() == 3);
}

TEST_CASE("a search that is told to stop looking at all values keeps what it has seen") {
  const auto dip = [](std::int64_t n) { return TwoValues{n == 70000 ? 0.0 : 2.0, 1.0}; };
  int pieces = 2;  // each of 65536 values
  const auto found =
      find_crossings(1, 10000000, {}, sides_of<std::int64_t>(dip), [&](std::uint64_t) { return pieces-- > 0; });
  REQUIRE(found.stretches.size() == 3);
  CHECK(found.stretches[1].begin == 70000);
  CHECK(found.stretches[1].end == 70000);
  CHECK(found.looked_at > 131072);
  CHECK(found.looked_at < 132000);
}

TEST_CASE("the widest range of integers has no overflow") {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  const auto step = [](std::int64_t n) { return n < 123456789012345 ? TwoValues{1, 2} : TwoValues{2, 1}; };
  const auto found = find_crossings(least, most, {}, sides_of<std::int64_t>(step), never);
  REQUIRE(found.stretches.size() == 2);
  CHECK(found.stretches[0].end == 123456789012344);
  CHECK(found.stretches[1].begin == 123456789012345);
}

TEST_CASE("values without a result are a stretch of their own") {
  const auto found = find_crossings(
      1, 100, {}, sides_of<std::int64_t>([](std::int64_t n) { return TwoValues{n < 10 ? std::nan("") : 1.0, 2.0}; }),
      always);
  REQUIRE(found.stretches.size() == 2);
  CHECK(found.stretches[0].which == Smaller::unknown);
  CHECK(found.stretches[0].end == 9);
}

TEST_CASE("an evaluation that stops leaves no stretches") {
  const EvaluateSides<std::int64_t> none = [](std::span<const std::int64_t>) { return std::vector<TwoValues>(); };
  CHECK(find_crossings(1, 100, {}, none, always).stretches.empty());
  const EvaluateSides<double> neither = [](std::span<const double>) { return std::vector<TwoValues>(); };
  const std::vector<double> points{1, 2};
  CHECK(find_crossings(points, 1e-12, neither).stretches.empty());
}

TEST_CASE("bisection finds what looking at all finds, of sides that cross a few times") {
  const char* given = std::getenv("WAVE_SEED");
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 20250707;
  for (std::uint64_t i = 0; i < 50; ++i) {
    INFO("WAVE_SEED=" << first << ", case " << i);
    std::mt19937_64 random(first + i);
    // The stretches are far longer than the distance of 1000000 / 256 between samples.
    const std::int64_t a = 20000 + static_cast<std::int64_t>(random() % 400000),
                       b = a + 20000 + static_cast<std::int64_t>(random() % 400000);
    const auto sides = [=](std::int64_t n) { return n < a || n >= b ? TwoValues{1, 2} : TwoValues{2, 1}; };
    const auto found = find_crossings(0, 1000000, {}, sides_of<std::int64_t>(sides), never);
    REQUIRE(found.stretches.size() == 3);
    CHECK(found.stretches[1].begin == a);
    CHECK(found.stretches[1].end == b - 1);
  }
}

TEST_CASE("a root of a real parameter is found to the tolerance") {
  const auto points = spread_points(0, 10, 33, false);
  const auto found = find_crossings(points, 1e-12, sides_of<double>([](double x) { return TwoValues{x * x, 2.0}; }));
  REQUIRE(found.stretches.size() >= 2);
  CHECK(found.stretches.front().end == Approx(std::sqrt(2)).epsilon(1e-11));
  CHECK(found.stretches.back().begin == Approx(std::sqrt(2)).epsilon(1e-11));
  CHECK(found.stretches.front().which == Smaller::first);
  CHECK(found.stretches.back().which == Smaller::second);
}

TEST_CASE("points are spread at equal distances or ratios, from end to end") {
  CHECK(spread_points(1, 9, 5, false) == std::vector<double>{1, 3, 5, 7, 9});
  const auto ratios = spread_points(1, 16, 5, true);
  REQUIRE(ratios.size() == 5);
  CHECK(ratios[2] == Approx(4));
  CHECK(ratios.back() == 16);
  CHECK(spread_points(3, 3, 5, false) == std::vector<double>{3});
}
