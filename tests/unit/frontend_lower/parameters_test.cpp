// Parameters by path, and -D.
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using wave::frontend::Diagnostics;
using wave::tests::codes_of_lowering;
using wave::tests::Model;

namespace {

const char* const text = R"(
import std.machines.ibm_sp2 { SP2 }
model Inner { param a: int = 1  param b: int = 2  output x = 10 * a + b }
model M {
  param net: SP2 = SP2(L = 20 us)
  param n: int = 4
  param m: int = n
  let inner = Inner(a = n)
  output x = inner.x
  output L = net.L
  output m_is = m
})";

}  // namespace

TEST_CASE("An override reaches parameters, through parameters and what a let's call leaves open") {
  Model model(text, {{"n", "6"}, {"net.L", "5 us"}, {"inner.b", "n + 1"}});
  CHECK(model.integer("x") == 67);
  CHECK(model.real("L") == 5e6);
  CHECK(model.integer("m_is") == 6);
}

TEST_CASE("parameters are listed with their paths, and are arguments of the system") {
  Model model(text);
  std::vector<std::string> paths;
  for (const auto& parameter : model.lowered().parameters) {
    paths.push_back(parameter.path);
    if (parameter.path == "n") {
      REQUIRE(parameter.definition.valid());
      CHECK(model.system()[parameter.definition].bindable);
      model.bindings.emplace_back(parameter.definition, wave::ir::Scalar::of(std::int64_t{9}));
    }
  }
  const auto has = [&](const char* path) { return std::find(paths.begin(), paths.end(), path) != paths.end(); };
  CHECK(has("net"));
  CHECK(has("net.L"));
  CHECK(has("inner.b"));
  CHECK_FALSE(has("inner.a"));
  CHECK(model.integer("x") == 92);
  CHECK(model.integer("m_is") == 9);
}

TEST_CASE("a machine inside a machine is named by the way to it, held by `let` or given to a parameter") {
  const std::string machines = R"(
machine Wire { param L: time = 1 us param K: time = 2 us }
machine Both { param near: Wire = Wire(K = 5 us) param far: Wire let way = Wire(L = 7 us) fn all(): time = near.L + far.L + way.K }
machine Deep { param inner: Both }
model M {
  param net: Both = Both(far = Wire(L = 3 us))
  let held = Both(far = Wire(L = 4 us))
  let deep = Deep(inner = Both(far = Wire()))
  output x = net.all()
  output y = held.all()
  output z = deep.inner.all()
})";
  Model model(machines);
  std::set<std::string> paths;
  for (const auto& parameter : model.lowered().parameters) paths.insert(parameter.path);
  for (const char* path : {"net.near.L", "net.near.K", "net.far.L", "net.far.K", "net.way.K", "held.far.K",
                           "held.near.L", "deep.inner.far.L", "deep.inner.way.K"})
    CHECK(paths.contains(path));
  // What a `let`, or a call inside a `let`, gives is out of reach.
  for (const char* path : {"net.way.L", "held.far", "held.far.L", "deep.inner"}) CHECK_FALSE(paths.contains(path));
  Model given(machines, {{"net.far.L", "10 us"}, {"held.way.K", "20 us"}, {"deep.inner.far.L", "30 us"}});
  CHECK(given.real("x") == 1e6 + 10e6 + 2e6);
  CHECK(given.real("y") == 1e6 + 4e6 + 20e6);
  CHECK(given.real("z") == 1e6 + 30e6 + 2e6);
  CHECK(codes_of_lowering(machines, {{"held.far.L", "1 us"}}) == std::vector<std::string>{"E0406"});
  CHECK(codes_of_lowering(machines, {{"net.way", "Wire()"}}) == std::vector<std::string>{"E0406"});
}

TEST_CASE("unknown paths suggest the nearest, given ones say where") {
  CHECK(codes_of_lowering(text, {{"nn", "1"}}) == std::vector<std::string>{"E0406"});
  CHECK(codes_of_lowering(text, {{"net.l", "1 us"}}) == std::vector<std::string>{"E0406"});
  CHECK(codes_of_lowering(text, {{"inner.a", "1"}}) == std::vector<std::string>{"E0406"});
}

TEST_CASE("every missing parameter is reported") {
  CHECK(codes_of_lowering("model M { param a: int  param b: time  output x = a }") ==
        std::vector<std::string>{"E0401", "E0401"});
}

TEST_CASE("a value outside its range fails even where nothing reads it") {
  Model model("model M { param a: int = 5 in 0..3  output x = 1 }");
  const auto outcome = model.outcome("x");
  REQUIRE(std::holds_alternative<wave::ir::Failure>(outcome));
  CHECK(std::get<wave::ir::Failure>(outcome).kind == wave::ir::FailureKind::outside_range);
}
