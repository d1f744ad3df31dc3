// Whole random systems, with functions, failures and cycles, have the same results with shortcuts and without.
#include "backend/engine.h"
#include "ir/arithmetic.h"
#include "tests/random/environment.h"
#include "tests/random/random_system.h"

#include <catch2/catch.hpp>

#include <string>

using namespace wave;

namespace {

// Says how the two differ; empty if they do not.
std::string difference(const backend::Outcome& direct, const backend::Outcome& shorter) {
  const auto* const failure = std::get_if<ir::Failure>(&direct);
  const auto* const other = std::get_if<ir::Failure>(&shorter);
  if ((failure && failure->is_limit()) || (other && other->is_limit())) return "";
  if (failure && other) {
    const bool same =
        failure->kind == other->kind && failure->site == other->site && failure->indices == other->indices;
    return same ? "" : "another failure";
  }
  if (failure || other) return failure ? "only the cells fail" : "only the shortcut fails";
  const auto &a = std::get<backend::Rows>(direct).cells, &b = std::get<backend::Rows>(shorter).cells;
  if (a.size() != b.size()) return "another number of rows";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!ir::arithmetic::same_bits(a[i], b[i])) return "value " + std::to_string(i);
  }
  return "";
}

constexpr std::uint64_t systems = 1500;

}  // namespace

TEST_CASE("random systems have the same results with shortcuts and without") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  const std::uint64_t count = test::rounds_of(systems);
  backend::EngineOptions shortcuts;
  shortcuts.shortcuts = true;
  std::size_t used = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::Options options;
    options.wild = seed % 2 == 0 ? 0.02 : 0.15;
    options.depth = seed % 3 == 0 ? 2 : 4;
    const ir::System system = test::random_system(seed, options);
    const auto direct = backend::make_interpreter(system), shorter = backend::make_interpreter(system, shortcuts);
    const auto bindings = test::random_bindings(system, seed);
    const auto one = direct->start(bindings, {}), other = shorter->start(bindings, {});
    INFO("seed " << seed);
    for (std::uint32_t root = 0; root < system.roots.size(); ++root) {
      CHECK(difference(one->evaluate(ir::RootId{root}), other->evaluate(ir::RootId{root})) == "");
    }
    for (const backend::EventReport& report : other->reports()) used += report.schedule.rfind("closed form", 0) == 0;
  }
  CHECK(used > count / 50);
}
