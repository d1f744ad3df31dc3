// Compares the interpreter and the JIT with shortcuts to the interpreter without them.
#include "backend/batch.h"
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/environment.h"
#include "tests/random/random_system.h"
#include "tests/unit/symbolic/uniform_systems.h"

#include <catch2/catch.hpp>

#include <bit>
#include <limits>

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

void compare(const ir::System& system, std::uint64_t seed) {
  backend::Limits limits;  // random recursions may take long
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  const auto direct = backend::make_interpreter(system);
  const auto interpreted = backend::make_interpreter(system, with_shortcuts());
  const auto compiled = jit_engine(system);
  for (const bool is_bound : {false, true}) {
    const auto bindings = is_bound ? test::random_bindings(system, seed) : std::vector<backend::Binding>{};
    const auto a = direct->start(bindings, limits), b = interpreted->start(bindings, limits),
               c = compiled->start(bindings, limits);
    for (std::uint32_t root = 0; root < system.roots.size(); ++root) {
      INFO("seed " << seed << ", root `" << system.roots[root].name << "`" << (is_bound ? ", bound" : ""));
      const backend::Outcome expected = a->evaluate(ir::RootId{root});
      REQUIRE(parity::difference(system, expected, b->evaluate(ir::RootId{root})) == "");
      REQUIRE(parity::difference(system, expected, c->evaluate(ir::RootId{root})) == "");
    }
  }
}

}  // namespace

TEST_CASE("random uniform recurrences have the same bits and failures in both engines with shortcuts") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 5000), count = test::rounds_of(15);
  for (std::uint64_t seed = first; seed < first + count; ++seed) compare(test::random_uniform_system(seed), seed);
}

TEST_CASE("random systems of all kinds have the same bits and failures in both engines with shortcuts") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 9000), count = test::rounds_of(10);
  for (std::uint64_t seed = first; seed < first + count; ++seed) compare(test::random_system(seed), seed);
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

TEST_CASE("an expression in a function is reported with what it was evaluated for") {
  parity::Model model;
  ir::Builder& b = model.build;
  const ir::FrameId frame = b.frame("f", ir::System::root_frame);
  const ir::ParameterId size = b.parameter(frame, "size", ir::ScalarType::integer);
  const ir::SpaceId line = model.grid({"i"}, {b.parameter_value(size)}, {}, frame);
  const ir::EventId event = model.event("e", line, ir::ScalarType::real, frame);
  model.constrain(event, event, {-1}, {model.parameter("w", b.real(2.5))});
  model.system[event].otherwise = {b.real(0)};
  const ir::DefinitionId result = b.define(frame, "result", model.read(event, {b.parameter_value(size)}));
  const auto call = [&](std::int64_t n) {
    return b.call(frame, result, {b.integer(n)}, model.site(ir::FailureKind::recursion_too_deep));
  };
  model.root("calls", {call(5), call(1'000'000'001)});
  for (const auto& engine : {backend::make_interpreter(model.system, with_shortcuts()), jit_engine(model.system)}) {
    INFO(engine->name());
    const auto evaluation = engine->start({}, {});
    const auto rows = std::get<backend::Rows>(evaluation->evaluate(ir::RootId{0}));
    CHECK(rows.cells[0].real == 10);
    CHECK(rows.cells[1].real == 2.5e9);
    const auto reports = evaluation->reports();
    REQUIRE(reports.size() == 2);
    CHECK(reports[0].schedule == "closed form: equal paths, as an expression");
    CHECK(reports[0].cells == 5);
    CHECK(reports[1].cells == 1'000'000'001);
    CHECK(reports[1].quantum > reports[0].quantum);
  }
}

TEST_CASE("the quantum of a bound and rounding to it have the same bits everywhere") {
  parity::Model model;
  ir::Builder& b = model.build;
  const ir::ValueId bound = model.parameter("bound", b.real(1)), weight = model.parameter("weight", b.real(1));
  const ir::ValueId quantum = b.unary(ir::UnaryOp::quantum_of, bound);
  model.root("both", {quantum, b.binary(ir::BinaryOp::round_to, weight, quantum),
                      b.binary(ir::BinaryOp::round_to, weight, bound)});
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> special = {0.0,
                                       -0.0,
                                       5e-324,
                                       1e-310,
                                       0x1p-1022,
                                       0x1p-970,
                                       0x1p-53,
                                       0.1,
                                       1,
                                       0x1.fffffffffffffp0,
                                       2,
                                       -3.7,
                                       4503599627370496.5,
                                       0x1p52,
                                       1e290,
                                       0x1p999,
                                       0x1.8p999,
                                       0x1p1000,
                                       1e308,
                                       infinity,
                                       -infinity,
                                       nan};
  std::vector<double> bounds, weights;
  for (const double one : special) {
    for (const double other : special) bounds.push_back(one), weights.push_back(other);
  }
  const auto interpreter = backend::make_interpreter(model.system);
  const auto compiled = jit_engine(model.system);
  const auto batch = compiled->batch({model.definition("bound"), model.definition("weight")}, {ir::RootId{0}});
  REQUIRE(batch);
  const std::vector<backend::InputColumn> columns{std::span<const double>(bounds), std::span<const double>(weights)};
  const auto in_lanes = std::get<backend::BatchResult>(batch->evaluate(columns, {}));
  CHECK(in_lanes.in_lanes == bounds.size());
  for (std::size_t row = 0; row < bounds.size(); ++row) {
    INFO("bound " << bounds[row] << ", weight " << weights[row]);
    const std::vector<backend::Binding> bindings{{model.definition("bound"), ir::Scalar::of(bounds[row])},
                                                 {model.definition("weight"), ir::Scalar::of(weights[row])}};
    const backend::Outcome expected = interpreter->start(bindings, {})->evaluate(ir::RootId{0});
    REQUIRE(parity::difference(model.system, expected, compiled->start(bindings, {})->evaluate(ir::RootId{0})) == "");
    for (std::size_t column = 0; column < 3; ++column) {
      const double found = std::get<std::vector<double>>(in_lanes.columns[column])[row];
      REQUIRE(std::bit_cast<std::uint64_t>(found) ==
              std::bit_cast<std::uint64_t>(std::get<backend::Rows>(expected).cells[column].real));
    }
  }
}
