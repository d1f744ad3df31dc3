// Skipped steps come to the same bits as evaluated steps.
#include "backend/processes/bulk/identical_steps.h"

#include "backend/processes/bulk/clock_arrays.h"
#include "backend/processes/bulk/sweep_steps.h"
#include "tests/random/environment.h"
#include "tests/unit/sweep/random_bodies.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <random>

using namespace wave;
using namespace wave::backend::processes;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double exact_below = 0x1p52;

// x[i] becomes the largest of x[j] + w[i][j].
struct MaxPlus {
  std::vector<std::vector<double>> weights;
  std::vector<double> clocks, sums, marks;
  std::vector<bool> marked;

  void step() {
    std::vector<double> next(clocks.size(), never);
    for (std::size_t i = 0; i < clocks.size(); ++i) {
      for (std::size_t j = 0; j < clocks.size(); ++j) next[i] = std::max(next[i], clocks[j] + weights[i][j]);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (clocks[i] != never && next[i] != never) sums[i] += next[i] - clocks[i];
      if (marked[i]) marks[i] = next[i];
    }
    clocks = std::move(next);
  }
};

class MaxPlusSteps final : public IdenticalSteps {
 public:
  explicit MaxPlusSteps(MaxPlus& map) : map_(map) {}
  bool evaluate(std::int64_t steps) override {
    for (; steps > 0; --steps) map_.step();
    return true;
  }
  std::vector<std::span<double>> clocks() override { return {map_.clocks}; }
  std::vector<std::span<double>> sums() override { return of(map_.sums); }
  std::vector<std::span<double>> marks() override { return of(map_.marks); }
  void exceed(double clock) override { exceeds = clock; }
  ClockMemory& memory() override { return memory_; }

  double exceeds = 0;  // what a clock comes to at least, where that is too much

 private:
  static std::vector<std::span<double>> of(std::vector<double>& array) {
    if (array.empty()) return {};
    return {array};
  }
  MaxPlus& map_;
  ClockMemory memory_{[](std::int64_t) { return true; }};
};

MaxPlus random_map(std::mt19937_64& random) {
  const std::size_t size = 1 + random() % 9;
  MaxPlus map;
  const auto weight = [&] { return static_cast<double>(random() % (random() % 3 == 0 ? 3 : 40)); };
  const bool dense = random() % 3 == 0, even = random() % 4 == 0;
  for (std::size_t i = 0; i < size; ++i) {
    auto& row = map.weights.emplace_back();
    for (std::size_t j = 0; j < size; ++j) row.push_back(dense || random() % 3 == 0 ? even ? 7 : weight() : never);
    // Clocks do not go back, so mostly no entry falls.
    if (random() % 8 != 0) row[i] = std::max(row[i], even ? 7 : weight());
    map.clocks.push_back(random() % 12 == 0 ? never
                                            : static_cast<double>(random() % (random() % 4 == 0 ? 100000 : 100)));
  }
  if (random() % 3 == 0) {
    map.sums.assign(size, 0);
    map.marks.assign(size, 0);
    for (std::size_t i = 0; i < size; ++i) map.marked.push_back(random() % 5 != 0);
  }
  return map;
}

struct Compared {
  std::size_t maps = 0, fewer = 0;
};

Compared compare_maps(std::uint64_t seed, std::size_t count) {
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  Compared compared;
  for (; compared.maps < count; ++compared.maps) {
    INFO("map " << compared.maps);
    MaxPlus direct = random_map(random), skipped = direct;
    const auto steps = static_cast<std::int64_t>(random() % 3000);
    for (std::int64_t step = 0; step < steps; ++step) direct.step();
    MaxPlusSteps run(skipped);
    const StepsTaken taken = take_steps(run, {steps, static_cast<std::int64_t>(1 + random() % 3), exact_below});
    compared.fewer += taken.evaluated < steps;
    REQUIRE(!taken.is_stopped);
    REQUIRE(skipped.clocks == direct.clocks);
    REQUIRE(skipped.sums == direct.sums);
    REQUIRE(skipped.marks == direct.marks);
  }
  return compared;
}

// The first two clocks gain `fast` and `slow` in each step. The third follows whichever of them is later.
MaxPlus two_speeds(double fast, double slow, double lead) {
  MaxPlus map;
  map.weights = {{fast, never, never}, {never, slow, never}, {1, 1, never}};
  map.clocks = {0, lead, 0};
  return map;
}

}  // namespace

TEST_CASE("steps of random max-plus maps that are skipped come to the same clocks, sums and marks") {
  const Compared compared =
      compare_maps(test::number_from("WAVE_RANDOM_SEED", 1), test::number_from("WAVE_RANDOM_MAPS", 3000));
  CHECK(compared.fewer * 10 > compared.maps * 9);
}

TEST_CASE("steps are skipped no further than to where a faster clock overtakes") {
  // The third clock follows the second until the first has made up for its lead, after 1000 steps.
  for (const double lead : {999.0, 1000.0, 1001.0}) {
    for (const std::int64_t steps : {990, 999, 1000, 1001, 1002, 1003, 5000}) {
      MaxPlus direct = two_speeds(3, 2, lead), skipped = direct;
      for (std::int64_t step = 0; step < steps; ++step) direct.step();
      MaxPlusSteps run(skipped);
      const StepsTaken taken = take_steps(run, {steps, 1, exact_below});
      CHECK(skipped.clocks == direct.clocks);
      CHECK(taken.evaluated < 60);
    }
  }
}

TEST_CASE("steps are not skipped to where sums would round") {
  MaxPlus map = two_speeds(3, 2, 0);
  MaxPlusSteps run(map);
  const StepsTaken taken = take_steps(run, {1000, 1, 1000});
  CHECK(taken.evaluated > 600);
  CHECK(map.clocks[0] == 3000);
}

TEST_CASE("a clock that does not stay exact is foreseen from its first steps, with the time it comes to") {
  for (const double exact : {3000.0, 3001.0}) {
    MaxPlus map;
    map.weights = {{3}};
    map.clocks = {0};
    MaxPlusSteps run(map);
    take_steps(run, {1000, 1, exact});
    CHECK(run.exceeds == (exact <= 3000 ? 3000 : 0));
  }
}

TEST_CASE("tiles of random sweeps that are skipped come to the same state") {
  const std::uint64_t seed = test::number_from("WAVE_RANDOM_SEED", 1);
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  std::size_t fewer = 0, all = 0;
  for (std::size_t index = 0; index < test::number_from("WAVE_RANDOM_SWEEPS", 400); ++index) {
    const std::size_t axes = 1 + random() % 3;
    const SweepBody body = sweep_tests::random_body(random, axes);
    std::vector<std::int64_t> extents;
    for (std::size_t axis = 0; axis < axes; ++axis) extents.push_back(static_cast<std::int64_t>(1 + random() % 4));
    auto call = sweep_tests::random_call(random, body, extents, static_cast<std::int64_t>(random() % 300));
    // Weights that repeat over the tiles.
    const std::size_t pattern = 1 + random() % 5;
    for (std::size_t weight = 0; weight < body.weights; ++weight) {
      if (!call.call.weights[weight].by_tile || random() % 4 == 0) continue;
      for (std::size_t tile = pattern; tile < call.arrays[weight].size(); ++tile)
        call.arrays[weight][tile] = call.arrays[weight][tile - pattern];
    }
    INFO(sweep_tests::describe(body, call.call));
    auto direct = sweep_tests::copy_of(call), skipped = sweep_tests::copy_of(call);
    if (!run_directly(body, direct.call)) continue;
    ++all;
    DirectSweeps kernels;
    TileCount count;
    std::int64_t held = 0;
    {
      ClockMemory memory([&](std::int64_t bytes) { return held += bytes, true; });
      REQUIRE(run_tiles(kernels, body, skipped.call, {exact_below, memory}, count));
    }
    REQUIRE(skipped.state == direct.state);
    REQUIRE(held == 0);
    REQUIRE(count.all == static_cast<double>(call.call.tiles));
    fewer += count.evaluated < count.all;
  }
  CHECK(fewer * 2 > all);
}

TEST_CASE("of a uniform sweep few tiles are evaluated, whatever their number") {
  for (const bool rendezvous : {false, true}) {
    const SweepBody body = sweep_tests::listing({rendezvous, rendezvous});
    std::mt19937_64 random(3);
    auto call = sweep_tests::random_call(random, body, {12, 9}, 1'000'000'000);
    for (auto& weight : call.call.weights) weight = {100, nullptr, nullptr};
    for (auto& state : call.state) std::fill(state.begin(), state.end(), 0);
    DirectSweeps kernels;
    TileCount count;
    ClockMemory memory([](std::int64_t) { return true; });
    REQUIRE(run_tiles(kernels, body, call.call, {exact_below, memory}, count));
    CHECK(count.evaluated < 30);
  }
}
