// Both engines with shortcuts against the interpreter without.
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/environment.h"
#include "tests/unit/symbolic/uniform_systems.h"

#include <catch2/catch.hpp>

using namespace wave;

namespace {

backend::EngineOptions with_shortcuts() {
  backend::EngineOptions options;
  options.shortcuts = true;
  return options;
}

std::unique_ptr<backend::Engine> jit_engine(const ir::System& system) {
  auto made = backend::make_engine(backend::EngineKind::jit, system, with_shortcuts());
  return std::move(std::get<std::unique_ptr<backend::Engine>>(made));
}

}  // namespace

TEST_CASE("random uniform recurrences have the same bits and failures in both engines with shortcuts") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 5000), count = test::number_from("WAVE_RANDOM_COUNT", 25);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::System system = test::random_uniform_system(seed);
    const auto direct = backend::make_interpreter(system);
    const auto interpreted = backend::make_interpreter(system, with_shortcuts());
    const auto compiled = jit_engine(system);
    const auto a = direct->start({}, {}), b = interpreted->start({}, {}), c = compiled->start({}, {});
    for (std::uint32_t root = 0; root < system.roots.size(); ++root) {
      INFO("seed " << seed << ", root `" << system.roots[root].name << "`");
      const backend::Outcome expected = a->evaluate(ir::RootId{root});
      REQUIRE(parity::difference(system, expected, b->evaluate(ir::RootId{root})) == "");
      REQUIRE(parity::difference(system, expected, c->evaluate(ir::RootId{root})) == "");
    }
  }
}

TEST_CASE("both engines report an expression alike") {
  parity::Model model;
  parity::add_start(model, 1'000'000'000, 300'000'000);
  const auto interpreted = backend::make_interpreter(model.system, with_shortcuts());
  const auto compiled = jit_engine(model.system);
  const auto a = interpreted->start({}, {}), b = compiled->start({}, {});
  CHECK(parity::difference(model.system, a->evaluate(ir::RootId{0}), b->evaluate(ir::RootId{0})) == "");
  const auto expected = a->reports(), found = b->reports();
  REQUIRE(expected.size() == 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].schedule == "closed form: equal paths, as an expression");
  CHECK(found[0].bound == expected[0].bound);
  CHECK(found[0].quantum == expected[0].quantum);
  CHECK(found[0].error == expected[0].error);
  CHECK(found[0].cells == 3e17);
}
