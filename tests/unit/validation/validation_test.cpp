// Errors and rankings of predictions, checked by hand and by brute force.
#include "analysis/validation/validation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

using namespace wave::analysis;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Pair pair(double predicted, double measured) { return {predicted, measured, none, 1}; }

}  // namespace

TEST_CASE("errors are relative to what was measured", "[validation]") {
  const auto found = validate({pair(110, 100), pair(190, 200), pair(30, 20), pair(40, 40)}, Preference::least);
  CHECK(found.compared == 4);
  CHECK(found.mean_error == Approx((0.1 + 0.05 + 0.5 + 0) / 4));
  CHECK(found.bias == Approx((0.1 - 0.05 + 0.5 + 0) / 4));
  CHECK(found.root_mean_square == Approx(std::sqrt((0.01 + 0.0025 + 0.25) / 4)));
  CHECK(found.largest == Approx(0.5));
  CHECK(found.worst == 2);
}

TEST_CASE("what failed counts for nothing", "[validation]") {
  const auto found = validate({pair(none, 100), pair(220, 200)}, Preference::least);
  CHECK(found.compared == 1);
  CHECK(found.mean_error == Approx(0.1));
  CHECK(found.worst == 1);
  CHECK_FALSE(found.has_ranking);
  CHECK(validate({pair(none, 1)}, Preference::least).compared == 0);
}

TEST_CASE("pairs in the wrong order are named with both differences", "[validation]") {
  // The first is predicted to be the fastest, but was measured to be the slowest.
  const auto ranking = validate({pair(10, 40), pair(20, 20), pair(30, 30)}, Preference::least).ranking;
  CHECK(ranking.distinguished == 3);
  CHECK(ranking.right == 1);
  CHECK(ranking.wrong == 2);
  CHECK(ranking.tau == Approx(-1.0 / 3));
  REQUIRE(ranking.inversions.size() == 2);
  CHECK(ranking.inversions[0].first == 0);
  CHECK(ranking.inversions[0].second == 1);
  CHECK(ranking.inversions[0].predicted == Approx(1));
  CHECK(ranking.inversions[0].measured == Approx(1));
  CHECK(ranking.inversions[1].second == 2);
  CHECK(ranking.chosen == 0);
  CHECK(ranking.best == 1);
  CHECK(ranking.loss == Approx(1));
}

TEST_CASE("of rates the largest is the best", "[validation]") {
  const auto ranking = validate({pair(10, 40), pair(30, 20), pair(20, 30)}, Preference::largest).ranking;
  CHECK(ranking.chosen == 1);
  CHECK(ranking.best == 0);
  CHECK(ranking.loss == Approx(1));
  CHECK(ranking.wrong == 3);
}

TEST_CASE("what repetitions do not distinguish is a tie", "[validation]") {
  const Pair a{10, 100, 5, 4}, b{9, 103, 5, 4}, c{20, 150, 5, 4};
  const auto ranking = validate({a, b, c}, Preference::least).ranking;
  CHECK(ranking.tied == 1);
  CHECK(ranking.distinguished == 2);
  CHECK(ranking.right == 2);
  CHECK(ranking.tau == 1);
  // Without a spread, every difference counts.
  CHECK(validate({pair(10, 100), pair(9, 103), pair(20, 150)}, Preference::least).ranking.wrong == 1);
  CHECK(validate({pair(1, 100), pair(2, 100)}, Preference::least).ranking.tied == 1);
}

TEST_CASE("equal predictions of different measurements are neither right nor wrong", "[validation]") {
  const auto ranking = validate({pair(10, 1), pair(10, 2), pair(11, 3)}, Preference::least).ranking;
  CHECK(ranking.distinguished == 3);
  CHECK(ranking.right == 2);
  CHECK(ranking.wrong == 0);
  CHECK(ranking.tau == Approx(2.0 / 3));
}

TEST_CASE("rankings are those of Kendall's tau without ties, counted from sorted orders", "[validation]") {
  const char* const given = std::getenv("WAVE_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20260106;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    std::uniform_real_distribution<double> value(1, 2);
    std::vector<Pair> pairs;
    for (int i = 0; i < 30; ++i) pairs.push_back(pair(value(random), value(random)));
    const auto ranking = validate(pairs, Preference::least).ranking;
    // Counts the swaps of neighbours that sort the measurements in the order of the predictions.
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.predicted < b.predicted; });
    std::size_t swaps = 0;
    for (std::size_t i = 1; i < pairs.size(); ++i) {
      for (std::size_t j = i; j > 0 && pairs[j].measured < pairs[j - 1].measured; --j, ++swaps)
        std::swap(pairs[j], pairs[j - 1]);
    }
    CHECK(ranking.wrong == swaps);
    CHECK(ranking.right + ranking.wrong == 30 * 29 / 2);
    CHECK(ranking.inversions.size() == std::min(swaps, most_inversions));
    for (std::size_t i = 1; i < ranking.inversions.size(); ++i)
      CHECK(ranking.inversions[i - 1].measured >= ranking.inversions[i].measured);
  }
}
