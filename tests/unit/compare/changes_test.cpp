// What each change adds on average over all orders, checked by hand, by brute force, with gaps, and by sampling.
#include "analysis/compare/changes.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

using namespace wave::analysis;

namespace {

using Game = std::function<double(const Mix&)>;
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<double> values_of(const Changes& changes, const Game& game) {
  std::vector<double> values;
  for (const Mix& mix : changes.mixes()) values.push_back(game(mix));
  return values;
}

std::optional<Attribution> attribute(std::size_t count, const Game& game) {
  const Changes changes(count, 1);
  const auto values = values_of(changes, game);
  const auto result = changes.attribute(values);
  if (result) {
    double sum = 0;
    for (const double part : result->parts) sum += part;
    CHECK(sum + result->rest == values.back() - values.front());
  }
  return result;
}

// The average by its definition, over all permutations that have values at every step.
std::vector<double> brute_force(std::size_t count, const Game& game) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> sums(count);
  std::size_t orders = 0;
  do {
    std::vector<double> steps(count);
    Mix mix(count);
    double before = game(mix);
    bool has_gap = !std::isfinite(before);
    for (const std::size_t change : order) {
      mix[change] = true;
      const double after = game(mix);
      has_gap |= !std::isfinite(after);
      steps[change] = after - before;
      before = after;
    }
    if (has_gap) continue;
    ++orders;
    for (std::size_t i = 0; i < count; ++i) sums[i] += steps[i];
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& sum : sums) sum /= static_cast<double>(orders);
  return sums;
}

std::uint64_t seed() {
  const char* given = std::getenv("WAVE_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 20250707;
}

}  // namespace

TEST_CASE("changes that do not know each other have what each adds alone") {
  const auto result =
      attribute(3, [](const Mix& mix) { return 100 + (mix[0] ? 5 : 0) + (mix[1] ? -2 : 0) + (mix[2] ? 0.25 : 0); });
  REQUIRE(result);
  CHECK(result->parts == std::vector<double>{5, -2, 0.25});
  CHECK(result->rest == 0);
  CHECK(result->orders == 6);
  CHECK_FALSE(result->is_sampled);
  CHECK_FALSE(result->has_gaps);
}

TEST_CASE("what two changes make together is divided evenly") {
  const auto result = attribute(2, [](const Mix& mix) { return mix[0] && mix[1] ? 10.0 : 0.0; });
  REQUIRE(result);
  CHECK(result->parts == std::vector<double>{5, 5});
}

TEST_CASE("a change alone explains all of the difference, and none explains nothing") {
  CHECK(attribute(1, [](const Mix& mix) { return mix[0] ? 7.0 : 3.0; })->parts == std::vector<double>{4});
  CHECK(attribute(0, [](const Mix&) { return 3.0; })->parts.empty());
}

TEST_CASE("orders that lead through a mix without a value do not count") {
  // The second change is possible only after the first.
  const auto result = attribute(2, [](const Mix& mix) {
    return mix[1] && !mix[0] ? not_a_number : (mix[0] ? 1.0 : 0.0) + (mix[1] ? 10.0 : 0.0);
  });
  REQUIRE(result);
  CHECK(result->has_gaps);
  CHECK(result->orders == 1);
  CHECK(result->parts == std::vector<double>{1, 10});
}

TEST_CASE("without a way from one side to the other there are no parts") {
  CHECK_FALSE(attribute(2, [](const Mix& mix) { return mix[0] != mix[1] ? not_a_number : 1.0; }));
  CHECK_FALSE(attribute(2, [](const Mix& mix) { return mix[0] && mix[1] ? not_a_number : 1.0; }));
}

TEST_CASE("the average over all orders is what its definition says, also with gaps") {
  const std::uint64_t first = seed();
  for (std::uint64_t i = 0; i < 200; ++i) {
    INFO("WAVE_SEED=" << first << ", game " << i);
    std::mt19937_64 random(first + i);
    const std::size_t count = 1 + random() % 6;
    std::vector<double> table(std::size_t{1} << count);
    for (double& value : table) value = random() % 5 == 0 ? not_a_number : static_cast<double>(random() % 1000);
    table.front() = 1, table.back() = 5;
    const auto number = [&](const Mix& mix) {
      std::size_t set = 0;
      for (std::size_t k = 0; k < count; ++k) set |= std::size_t{mix[k]} << k;
      return table[set];
    };
    const auto expected = brute_force(count, number);
    const auto result = attribute(count, number);
    if (!result) {
      CHECK(std::isnan(expected.front()));
      continue;
    }
    for (std::size_t k = 0; k < count; ++k) CHECK(result->parts[k] == Approx(expected[k]).margin(1e-9));
  }
}

TEST_CASE(
    "of many changes orders are sampled: the same with the same seed, exact where changes do not know each other") {
  const std::size_t count = 16;
  const Game sum = [](const Mix& mix) {
    double value = 0;
    for (std::size_t i = 0; i < mix.size(); ++i) value += mix[i] ? static_cast<double>(i) : 0;
    return value;
  };
  const auto result = attribute(count, sum);
  REQUIRE(result);
  CHECK(result->is_sampled);
  CHECK(result->orders == Changes::sampled_orders);
  for (std::size_t i = 0; i < count; ++i) CHECK(result->parts[i] == static_cast<double>(i));
  // Changes that act in pairs get half of the effect each, since every order comes with its reverse.
  const auto pairs = attribute(count, [](const Mix& mix) {
    double value = 0;
    for (std::size_t i = 0; i < mix.size(); i += 2) value += mix[i] && mix[i + 1] ? 8 : 0;
    return value;
  });
  REQUIRE(pairs);
  for (const double part : pairs->parts) CHECK(part == 4);
  CHECK(Changes(count, 5).mixes() == Changes(count, 5).mixes());
  CHECK(Changes(count, 5).mixes() != Changes(count, 6).mixes());
  CHECK(Changes(count, 5).mixes().size() <= Changes::sampled_orders * (count + 1));
}

TEST_CASE("parts are rounded so that nothing is lost when they are added") {
  std::vector<double> parts{0.1, 0.2, 0.3};
  const double rest = settle(parts, 0.6);
  CHECK(parts[0] + parts[1] + parts[2] + rest == 0.6);
  CHECK(std::fabs(rest) < 1e-14);
  std::vector<double> none;
  CHECK(settle(none, 3.5) == 3.5);
}
