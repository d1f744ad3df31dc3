// Random recurrences have the same bits in every cell, however they are evaluated.
#include "tests/random/environment.h"
#include "tests/unit/closed_form/random_recurrence.h"
#include "tests/unit/closed_form/solved.h"

#include <catch2/catch.hpp>

#include <map>

using namespace wave;

TEST_CASE("shortcuts give the bits of direct evaluation on random recurrences") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COUNT", 3000);
  std::map<std::string, std::size_t> used;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model model;
    const ir::EventId event = test::add_random_recurrence(model, seed);
    // Now and then expressions are looked into although their range is short.
    const test::Solved solved = test::solve(model, event, seed % 3 == 0 ? 1024 : 2 + static_cast<std::int64_t>(seed % 7));
    INFO("seed " << seed << ": " << solved.name);
    CHECK(solved.difference == "");
    ++used[solved.name];
  }
  for (const auto& [name, times] : used) UNSCOPED_INFO(name << ": " << times);
  if (count >= 3000) {
    for (const char* name : {"", "one path", "equal paths", "one-signed differences", "blocks of equal paths",
                             "blocks of equal differences", "equal paths and one longer step"}) {
      CHECK(used[name] > 0);
    }
  }
}

TEST_CASE("steady growth gives the bits of direct evaluation on random stencils") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1) + 90'000;
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COUNT", 1500) / 3;
  std::map<std::string, std::size_t> used;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model model;
    const ir::EventId event = test::add_random_stencil(model, seed);
    const test::Solved solved = test::solve(model, event, 2 + static_cast<std::int64_t>(seed % 7), 1e6);
    INFO("seed " << seed << ": " << solved.name);
    CHECK(solved.difference == "");
    ++used[solved.name];
  }
  for (const auto& [name, times] : used) UNSCOPED_INFO(name << ": " << times);
  if (count >= 500) CHECK(used["steady growth"] > 100);
}

TEST_CASE("the interpreter gives the same bits with shortcuts and without") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1) + 50'000;
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COUNT", 1000) / 2;
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
