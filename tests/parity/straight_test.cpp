// Scalars that the JIT walks over instead of compiling them.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/random_system.h"

#include <catch2/catch.hpp>

#include <random>

using namespace wave;
using namespace wave::parity;
using backend::EngineKind;

namespace {

// A JIT that walks over scalars, as it does outside of tests.
std::unique_ptr<backend::Engine> usual_jit(const ir::System& system) {
  backend::force_jit_code(false);
  auto jit = engine(EngineKind::jit, system);
  backend::force_jit_code(true);
  return jit;
}

}  // namespace

TEST_CASE("scalars without loops, cells and functions compile nothing, and nothing is left to the interpreter") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId n = model.parameter("n", build.integer(6)), x = model.parameter("x", build.real(0.5));
  build.define(ir::System::root_frame, "y", build.add(x, build.to_real(n)));
  model.root("sum", {model.refer("y"), build.less(n, build.integer(7)), build.maximum({x, model.refer("y")})});
  model.root("root", {build.unary(ir::UnaryOp::square_root, x, model.site(ir::FailureKind::outside_domain))});
  const auto jit = usual_jit(model.system);
  const auto interpreter = engine(EngineKind::interpreter, model.system);
  for (const double value : {0.5, -1.0, 0.0}) {
    CHECK(compare(model.system, *interpreter, *jit, {{model.definition("x"), ir::Scalar::of(value)}}).difference == "");
  }
  CHECK(backend::jit_counts(*jit).compilations == 0);
  CHECK(backend::jit_counts(*jit).interpreted == 0);
}

TEST_CASE("what a recurrence needs of such scalars it finds, and their failures are its own") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId w = model.parameter("w", build.real(1.5)), n = model.parameter("n", build.integer(9));
  build.define(ir::System::root_frame, "step",
               build.divide(build.real(6), w, model.site(ir::FailureKind::division_by_zero)));
  build.define(ir::System::root_frame, "size",
               build.add(n, build.integer(1), model.site(ir::FailureKind::integer_overflow)));
  const ir::SpaceId space = model.grid({"i"}, {model.refer("size")});
  const ir::EventId event = model.event("start", space);
  model.constrain(event, event, {-1}, {model.refer("step"), build.to_real(model.index(space, 0))});
  model.constrain(event, {}, {}, {build.real(0)});
  model.root("last", {model.read(event, {model.refer("size")}), model.refer("step")});
  const auto jit = usual_jit(model.system);
  const auto interpreter = engine(EngineKind::interpreter, model.system);
  for (const double value : {1.5, 0.0, -2.0}) {
    for (const std::int64_t extent : {std::int64_t{9}, std::int64_t{-5}, INT64_MAX}) {
      const std::vector<backend::Binding> bindings{{model.definition("w"), ir::Scalar::of(value)},
                                                   {model.definition("n"), ir::Scalar::of(extent)}};
      CHECK(compare(model.system, *interpreter, *jit, bindings).difference == "");
    }
  }
  CHECK(backend::jit_counts(*jit).compilations == 1);
}

TEST_CASE("definitions in a cycle fail alike, walked over or not") {
  Model model;
  ir::Builder& build = model.build;
  const ir::DefinitionId a = build.declare(ir::System::root_frame, "a", ir::ScalarType::integer);
  const ir::DefinitionId b = build.define(ir::System::root_frame, "b", build.reference(a));
  build.set_body(a, build.maximum({build.reference(b), build.integer(1)}));
  model.root("a", {build.reference(a)});
  model.root("b", {build.reference(b)});
  CHECK(
      compare(model.system, *engine(EngineKind::interpreter, model.system), *usual_jit(model.system), {}).difference ==
      "");
}

TEST_CASE("random systems have the same bits and failures when scalars are walked over") {
  const std::uint64_t seed = std::random_device{}();
  for (std::uint64_t i = 0; i < 20; ++i) {
    INFO("seed " << seed + i);
    const ir::System system = test::random_system(seed + i);
    const auto jit = usual_jit(system);
    const auto interpreter = engine(EngineKind::interpreter, system);
    backend::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    for (const auto& bindings : {std::vector<backend::Binding>{}, test::random_bindings(system, seed + i)}) {
      CHECK(compare(system, *interpreter, *jit, bindings, limits).difference == "");
    }
  }
}
