// Sharing and folding, tables, the printer.
#include "ir/builder.h"

#include "ir/operations.h"
#include "ir/passes.h"
#include "ir/printer.h"
#include "ir/table.h"
#include "ir/verify.h"

#include <catch2/catch.hpp>

using namespace wave::ir;

namespace {
struct EmptySystem {
  System system;
  Builder b{system};
  SiteId site = b.site(FailureKind::division_by_zero, {}, "x");
};
}  // namespace

TEST_CASE("equal nodes are one node, other places are other nodes") {
  EmptySystem f;
  const auto w = f.b.reference(f.b.define({0}, "w", f.b.real(2)));
  CHECK(f.b.add(w, f.b.real(1)) == f.b.add(w, f.b.real(1)));
  CHECK(f.b.real(0.0) != f.b.real(-0.0));
  const auto other = f.b.site(FailureKind::division_by_zero, {}, "y");
  CHECK(f.b.divide(w, w, f.site) != f.b.divide(w, w, other));
  CHECK(f.b.add(w, w, f.site) == f.b.add(w, w, other));  // addition cannot fail, so its site does not matter
}

TEST_CASE("constants fold, failures do not") {
  EmptySystem f;
  CHECK(f.b.as_constant(f.b.add(f.b.real(2), f.b.real(3)))->real == 5);
  CHECK(!f.b.as_constant(f.b.divide(f.b.real(1), f.b.real(0), f.site)));
  const auto bad = f.b.less(f.b.divide(f.b.real(1), f.b.real(0), f.site), f.b.real(1));
  CHECK(f.b.as_constant(f.b.logical_and(f.b.boolean(false), bad))->boolean == false);
  CHECK(!f.b.as_constant(f.b.logical_and(bad, f.b.boolean(false))));
  CHECK(f.b.select(f.b.boolean(true), f.b.real(1), f.b.divide(f.b.real(1), f.b.real(0), f.site)) == f.b.real(1));
  CHECK(f.b.check(f.b.boolean(true), f.b.real(4), f.site) == f.b.real(4));
}

TEST_CASE("a maximum folds from the left only") {
  EmptySystem f;
  const auto w = f.b.reference(f.b.define({0}, "w", f.b.real(2)));
  CHECK(f.b.maximum({f.b.real(1), f.b.real(3), w}) == f.b.maximum({f.b.real(3), w}));
  CHECK(f.b.maximum({w, f.b.real(1), f.b.real(3)}) != f.b.maximum({w, f.b.real(3)}));
  CHECK(f.b.maximum({w}) == w);
}

TEST_CASE("tables give their keys exactly and refuse what lies outside") {
  Table table{"t", {{1, 2, 4}}, {10, 30, 20}, Interpolation::linear, false};
  const auto at = [&](double x) { return lookup(table, &x); };
  CHECK(at(1).value == 10);
  CHECK(at(1.5).value == 20);
  CHECK(at(4).value == 20);
  CHECK(at(0.5).failed);
  CHECK(at(4.5).failed);
  table.extend = true;
  CHECK(at(5).value == 15);
  CHECK(at(0).value == -10);
  table.interpolation = Interpolation::step;
  CHECK(at(3.9).value == 30);
  CHECK(at(9).value == 20);
  CHECK(at(0).value == 10);
  table = {"powers", {{1, 4, 16}}, {1, 2, 4}, Interpolation::logarithmic, false};
  CHECK(at(9).value == Approx(3));
}

TEST_CASE("an exact table has its values at its own keys alone") {
  const Table line{"t", {{1, 2, 4}}, {10, 30, 20}, Interpolation::exact, false, -1.0};
  for (const auto& [key, value] : std::vector<std::pair<double, double>>{
           {1, 10}, {2, 30}, {4, 20}, {0, -1}, {1.5, -1}, {3, -1}, {5, -1}, {std::nan(""), -1}})
    CHECK(lookup(line, &key).value == value);
  const Table plane{"u", {{1, 1, 3}, {2, 7, 2}}, {10, 30, 20}, Interpolation::exact, false, 0.0};
  const auto at = [&](double x, double y) {
    const double keys[] = {x, y};
    return lookup(plane, keys).value;
  };
  CHECK(at(1, 2) == 10);
  CHECK(at(1, 7) == 30);
  CHECK(at(3, 2) == 20);
  CHECK(at(3, 7) == 0);
  CHECK(at(2, 2) == 0);
  CHECK(at(std::nan(""), 2) == 0);
  const Table none{"v", {{}}, {}, Interpolation::exact, false, 5.0};
  const double key = 1;
  CHECK(lookup(none, &key).value == 5);
}

TEST_CASE("a table of two keys interpolates along both") {
  const Table table{"t", {{0, 10}, {0, 1}}, {0, 1, 10, 11}, Interpolation::linear, false};
  const double keys[] = {5, 0.5};
  CHECK(lookup(table, keys).value == 5.5);
}

TEST_CASE("the printer shows precedences and shares what is shared") {
  EmptySystem f;
  const auto w = f.b.reference(f.b.define({0}, "w", f.b.real(2), {}, true));
  const auto sum = f.b.add(w, f.b.real(1));
  CHECK(print(f.system, f.b.multiply(sum, f.b.real(3))) == "(w + 1.0) * 3.0");
  CHECK(print(f.system, f.b.subtract(w, f.b.subtract(w, sum))) == "w - (w - (w + 1.0))");
  CHECK(print(f.system, f.b.negate(f.b.real(1.5))) == "-1.5");
  ValueId deep = sum;
  for (int i = 0; i < 100'000; ++i) deep = f.b.add(deep, f.b.multiply(deep, w));
  CHECK(print(f.system, deep).size() < 20'000'000);
}

TEST_CASE("the verifier finds wrong types, wrong scopes and cycles") {
  EmptySystem f;
  const auto binder = f.b.binder("i");
  f.b.define({0}, "stray", f.b.index(binder));
  REQUIRE(verify(f.system).size() == 1);
  CHECK(verify(f.system)[0] == "definition stray: looks at `i`, which is not bound there");

  EmptySystem g;
  const auto x = g.b.reference(g.b.define({0}, "x", g.b.real(1)));
  const auto y = g.b.add(x, g.b.real(1));
  std::get<Binary>(g.system.values[y.index].node).right = y;
  CHECK(verify(g.system) == std::vector<std::string>{"a node is among its own operands"});

  EmptySystem h;
  h.b.node(Binary{BinaryOp::add, h.b.real(1), h.b.integer(1), {}}, ScalarType::real);
  CHECK(verify(h.system).size() == 1);
  h.b.node(Reference{DefinitionId{7}}, ScalarType::real);
  CHECK(verify(h.system) == std::vector<std::string>{"an id of no definition"});
}

TEST_CASE("passes inline what is small and name what loops repeat") {
  EmptySystem f;
  const auto w = f.b.define({0}, "w", f.b.real(2), {}, true);
  const auto frame = f.b.frame("cost", {0});
  const auto s = f.b.parameter_value(f.b.parameter(frame, "s", ScalarType::real));
  const auto cost = f.b.define(frame, "cost", f.b.add(f.b.multiply(s, f.b.reference(w)), f.b.real(1)));
  const auto k = f.b.binder("k");
  const auto call = f.b.call(frame, cost, {f.b.real(8)}, f.site);
  const Level level{k, f.b.integer(1), f.b.integer(9), f.b.integer(1), false, {}, f.site};
  const auto body = f.b.multiply(f.b.to_real(f.b.index(k)), call);
  f.b.define({0}, "total", f.b.reduce(ReduceKind::sum, {level}, body, {}, f.site));
  const System after = run_passes(f.system);
  CHECK(verify(after).empty());
  REQUIRE(after.definitions.size() == 4);
  CHECK(print(after, after.definitions[3].body) == "8.0 * w + 1.0");
  CHECK(print(after, after.definitions[2].body) == "sum(k in 1..9: real(k) * invariant 3)");
}
