// Random recurrences have the same bits in every cell, whichever way they are evaluated.
#include "tests/unit/closed_form/random_recurrence.h"

#include "tests/random/choices.h"
#include "tests/random/environment.h"
#include "tests/unit/closed_form/solved.h"

#include <catch2/catch.hpp>

#include <map>

using namespace wave;

TEST_CASE("shortcuts give the bits of direct evaluation on random recurrences") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  const std::uint64_t count = test::rounds_of(3000);
  std::map<std::string, std::size_t> used;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model model;
    const ir::EventId event = test::add_random_recurrence(model, seed);
    // Now and then, expressions are analysed although their range is short.
    const test::Solved solved =
        test::solve(model, event, seed % 3 == 0 ? 1024 : 2 + static_cast<std::int64_t>(seed % 7));
    INFO("seed " << seed << ": " << solved.name);
    CHECK(solved.difference == "");
    ++used[solved.name];
  }
  for (const auto& [name, times] : used) UNSCOPED_INFO(name << ": " << times);
  if (count >= 3000) {
    for (const char* name : {"", "one path", "equal paths", "one-signed differences", "blocks of equal paths",
                             "blocks of equal differences"}) {
      CHECK(used[name] > 0);
    }
  }
}

TEST_CASE("random recurrences with one weight off by a quantum in one cell are seen as what they are") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  const std::uint64_t count = test::rounds_of(1000);
  std::size_t others = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model model;
    const test::Solved even = test::solve(model, test::add_random_recurrence(model, seed), 3);
    if (even.name.empty() || even.quantum == 0) continue;
    parity::Model other;
    ir::Builder& b = other.build;
    const ir::EventId event = test::add_random_recurrence(other, seed);
    ir::Event& changed = other.system[event];
    if (changed.constraints.empty()) continue;
    test::Choices choose(seed);
    ir::ValueId here = b.boolean(true);
    const ir::Space& space = other.system[changed.space];
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      const std::int64_t extent = std::get<ir::Constant>(other.system[space.axes[axis].last].node).value.integer;
      here = b.logical_and(here, b.equal(b.index(space.axes[axis].binder), b.integer(choose.between(1, extent))));
    }
    const double off = choose.chance(0.5) ? even.quantum : -even.quantum;
    auto& weights = changed.constraints[choose.below(changed.constraints.size())].weights;
    weights.push_back(b.select(here, b.real(off), b.real(0)));
    const test::Solved odd = test::solve(other, event, 3);
    INFO("seed " << seed << ": " << even.name << ", then " << odd.name);
    CHECK(odd.difference == "");
    others += odd.name != even.name;
  }
  CHECK(others > count / 20);
}

TEST_CASE("the interpreter gives the same bits with shortcuts and without") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1) + 50'000;
  const std::uint64_t count = test::rounds_of(1000) / 2;
  std::size_t used = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model model;
    const ir::EventId event = test::add_random_recurrence(model, seed);
    const test::Solved solved = test::solve_in_interpreter(model, event);
    INFO("seed " << seed << ": " << solved.name);
    CHECK(solved.difference == "");
    used += !solved.name.empty();
  }
  CHECK(used > 0);
}
