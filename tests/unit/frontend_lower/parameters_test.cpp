// Parameters by path, and -D.
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

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
