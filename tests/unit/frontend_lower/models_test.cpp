// Models and machines as values that are shared, replaced, or depend on loops.
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using wave::tests::Model;

TEST_CASE("a model in a comprehension is a frame that takes what it depends on") {
  Model model(R"(
model Inner {
  param n: int
  param cost: time = 2 us
  rec at[k in 1..n]: time = at[k-1] + cost else 0
  let last = at[n]
  output total = last + cost
}
model M {
  let all = [Inner(n = k, cost = k * 1 us) for k in 1..4]
  output sum_of = sum(x in all: x.total)
  output totals = [Inner(n = k).total for k in 1..3]
  output point = Inner(n = 3).at[2]
  output best = argmin(d in 1..12 if 12 mod d == 0: Inner(n = d).total + Inner(n = 12 div d).total)
})");
  // n = k, cost = k: (k-1)*k + k = k^2.
  CHECK(model.real("sum_of") == 30e6);
  const auto totals = model.rows("totals").cells;
  REQUIRE(totals.size() == 3);
  CHECK(totals[2].real == 6e6);
  CHECK(model.real("point") == 2e6);
  CHECK(model.integer("best") == 3);
}

TEST_CASE("reading a recurrence of a model that depends on a loop") {
  Model model(R"(
model Inner {
  param n: int
  rec at[k in 1..n]: time = at[k-1] + 1 us else 0
}
model M {
  output x = sum(n in 1..4: sum(k in 1..n: Inner(n = n).at[k]))
})");
  CHECK(model.real("x") == (0 + 1 + 3 + 6) * 1e6);
}

TEST_CASE("calling a value again replaces its parameters") {
  Model model(R"(
model Inner { param a: int = 1  param b: int = 2  output x = 10 * a + b }
model M {
  let base = Inner(a = 5)
  output x = base.x
  output y = base(b = 7).x
  output z = base(a = 1).x
})",
              {{"base.b", "4"}});
  CHECK(model.integer("x") == 54);
  CHECK(model.integer("y") == 57);
  CHECK(model.integer("z") == 14);
}

TEST_CASE("a machine chosen at run time distributes over its costs") {
  Model model(R"(
import std.machines.ibm_sp2 { SP2, SP2_C }
model M {
  param fortran: bool = true
  let net = if fortran then SP2() else SP2_C()
  output send = net.send(8 B)
})",
              {{"fortran", "false"}});
  CHECK(model.real("send") == 16e6);
}

TEST_CASE("requirements of a model inside come before its members") {
  Model model(R"(
model Inner { param n: int = 3  require n mod 2 == 0, "only even"  output x = n }
model M {
  let inner = Inner()
  output fine = 1
  output x = inner.x
})");
  CHECK(model.integer("fine") == 1);
  const auto outcome = model.outcome("x");
  REQUIRE(std::holds_alternative<wave::ir::Failure>(outcome));
  CHECK(std::get<wave::ir::Failure>(outcome).kind == wave::ir::FailureKind::require_failed);
}

TEST_CASE("Sweep3D on the SP/2 by the paper's equations") {
  std::ifstream file(WAVE_PROGRAMS "/section7/sweep3d.wave");
  std::ostringstream text;
  text << file.rdbuf();
  Model model(text.str(), {}, "Sweep3D");
  CHECK(model.real("iteration") / 1e6 == Approx(14744202.0).epsilon(1e-12));
  CHECK(model.real("exact") == 15100354e6);
  CHECK(model.event("start").constraints.size() == 2);
}

TEST_CASE("requirements come before lists and machines inside, too") {
  Model model(R"(
import std.machines.ibm_sp2 { SP2 }
model Inner {
  param n: int = 3
  param net: SP2 = SP2()
  require n mod 2 == 0, "only even"
  let xs = [k for k in 1..n]
}
model M {
  output list = sum(x in Inner().xs: x)
  output cost = Inner().net.send(8 B)
  output fine = sum(x in Inner(n = 4).xs: x)
  output lifted = sum(k in [2, 4]: sum(x in Inner(n = k).xs: x))
})");
  CHECK(std::holds_alternative<wave::ir::Failure>(model.outcome("list")));
  CHECK(std::holds_alternative<wave::ir::Failure>(model.outcome("cost")));
  CHECK(model.integer("fine") == 10);
  CHECK(model.integer("lifted") == 13);
}

TEST_CASE("a machine that depends on a loop, inside a model that does") {
  Model model(R"(
import std.comm { Machine }
import std.machines.ibm_sp2 { SP2 }
machine Slow : Machine {
  param factor: real = 2
  param base: Machine = SP2()
  fn send(s: data, within: level = none, sharing: int = 1): time = factor * base.send(s)
  fn recv(s: data, within: level = none): time = factor * base.recv(s)
  fn total(s: data, within: level = none, sharing: int = 1): time = factor * base.total(s)
}
model Line {
  param net: Machine
  param s: data = 8 B
  param n: int = 4
  let cost = net.send(s)
  grid P[r: n]
  rec at[r] over P: time = at[r-1] + cost + net.send(s) else 0
  output last = at[n]
}
model M {
  output x = sum(k in 1..3: Line(net = Slow(factor = k), n = k).last)
})");
  CHECK(model.real("x") == (0 + 2 * 2 * 23 + 2 * 3 * 2 * 23) * 1e6);
}
