// How the interpreter evaluates scalars, definitions, calls and loops.
#include "ir/operations.h"
#include "tests/unit/interpreter/fixture.h"

#include <cmath>
#include <limits>

using namespace wave;
using ir::BinaryOp;
using ir::FailureKind;
using ir::ReduceKind;
using ir::ScalarType;
using test::Fixture;

TEST_CASE("a definition is evaluated once, whoever asks") {
  Fixture f;
  const auto w = f.b.define(f.root, "w", f.b.real(2.5));
  const auto twice = f.b.add(f.b.reference(w), f.b.reference(w));
  CHECK(f.value(twice).real == 5.0);
}

TEST_CASE("a bound parameter stands in place of its default") {
  Fixture f;
  const auto n = f.b.define(f.root, "n", f.b.integer(4), {}, true);
  f.bindings = {{n, ir::Scalar::of(std::int64_t{7})}};
  CHECK(f.value(f.b.multiply(f.b.reference(n), f.b.integer(2), f.site())).integer == 14);
}

TEST_CASE("what is not needed does not fail") {
  Fixture f;
  const auto zero = f.b.define(f.root, "zero", f.b.real(0));
  const auto bad = f.b.divide(f.b.real(1), f.b.reference(zero), f.site());
  const auto positive = f.b.less(f.b.real(0), f.b.reference(zero));
  CHECK(f.value(f.b.select(positive, bad, f.b.real(3))).real == 3);
  CHECK(f.value(f.b.logical_and(positive, f.b.less(bad, bad))).boolean == false);
  CHECK(f.failure(bad).kind == FailureKind::division_by_zero);
}

TEST_CASE("a call evaluates all its arguments, in a fresh activation") {
  Fixture f;
  const auto frame = f.b.frame("square", f.root);
  const auto x = f.b.parameter(frame, "x", ScalarType::integer);
  const auto px = f.b.parameter_value(x);
  const auto result = f.b.define(frame, "result", f.b.multiply(px, px, f.site()));
  const auto three = f.b.call(frame, result, {f.b.integer(3)}, f.site());
  const auto nine = f.b.call(frame, result, {three}, f.site());
  CHECK(f.value(nine).integer == 81);
}

TEST_CASE("recursion ends where it is too deep, not in a crash") {
  Fixture f;
  const auto frame = f.b.frame("count", f.root);
  const auto x = f.b.parameter(frame, "x", ScalarType::integer);
  const auto result = f.b.declare(frame, "result", ScalarType::integer);
  const auto next = f.b.binary(BinaryOp::add, f.b.parameter_value(x), f.b.integer(-1), f.site());
  const auto deeper = f.b.call(frame, result, {next}, f.site());
  const auto done = f.b.equal(f.b.parameter_value(x), f.b.integer(0));
  f.b.set_body(result, f.b.select(done, f.b.integer(0), f.b.add(f.b.integer(1), deeper, f.site())));
  CHECK(f.value(f.b.call(frame, result, {f.b.integer(900)}, f.site())).integer == 900);
  CHECK(f.failure(f.b.call(frame, result, {f.b.integer(-1)}, f.site())).kind == FailureKind::recursion_too_deep);
}

TEST_CASE("a definition that needs itself is a cycle that is printed") {
  Fixture f;
  const auto a = f.b.declare(f.root, "a", ScalarType::real);
  const auto b = f.b.define(f.root, "b", f.b.add(f.b.reference(a), f.b.real(1)));
  f.b.set_body(a, f.b.add(f.b.reference(b), f.b.real(1)));
  const auto failure = f.failure(f.b.reference(a));
  CHECK(failure.kind == FailureKind::cyclic_definition);
  CHECK(failure.detail == "a -> b -> a");
}

TEST_CASE("a deep expression does not overflow the stack") {
  Fixture f;
  const auto x = f.b.define(f.root, "x", f.b.real(1));
  ir::ValueId sum = f.b.reference(x);
  for (int i = 0; i < 20'000; ++i) sum = f.b.add(sum, f.b.reference(x));
  CHECK(f.value(sum).real == 20'001);
  for (int i = 0; i < 1'000'000; ++i) sum = f.b.add(sum, f.b.reference(x));
  CHECK(f.failure(sum).kind == FailureKind::recursion_too_deep);
}

TEST_CASE("shared subexpressions do not cost exponential time") {
  Fixture f;
  const auto x = f.b.define(f.root, "x", f.b.real(1));
  ir::ValueId sum = f.b.reference(x);
  for (int i = 0; i < 100; ++i) sum = f.b.add(sum, sum);
  CHECK(f.value(sum).real == std::ldexp(1.0, 100));
}

TEST_CASE("loops run over ranges, steps and filters") {
  Fixture f;
  const auto k = f.b.binder("k");
  const auto index = f.b.index(k);
  const auto one = f.b.integer(1);
  const auto reduce = [&](ReduceKind kind, ir::Level level, ir::ValueId body, ir::ValueId value = {}) {
    return f.b.reduce(kind, {level}, body, value, f.site());
  };
  CHECK(f.value(reduce(ReduceKind::sum, f.level(k, one, f.b.integer(10)), index)).integer == 55);
  CHECK(f.value(reduce(ReduceKind::product, f.level(k, one, f.b.integer(5)), index)).integer == 120);
  CHECK(f.value(reduce(ReduceKind::sum, f.level(k, f.b.integer(10), one, -3), index)).integer == 10 + 7 + 4 + 1);
  auto doubling = f.level(k, one, f.b.integer(100), 2);
  doubling.geometric = true;
  CHECK(f.value(reduce(ReduceKind::count, doubling, {})).integer == 7);
  auto even = f.level(k, one, f.b.integer(10));
  even.filter = f.b.equal(f.b.binary(BinaryOp::modulo, index, f.b.integer(2), f.site()), f.b.integer(0));
  CHECK(f.value(reduce(ReduceKind::maximum, even, index)).integer == 10);
  CHECK(f.value(reduce(ReduceKind::nth, even, index, f.b.integer(3))).integer == 6);
  CHECK(f.failure(reduce(ReduceKind::nth, even, index, f.b.integer(6))).kind == FailureKind::index_outside_list);
  const auto distance = f.b.unary(ir::UnaryOp::absolute, f.b.subtract(index, f.b.integer(7), f.site()), f.site());
  CHECK(f.value(reduce(ReduceKind::arg_min, f.level(k, one, f.b.integer(10)), distance, index)).integer == 7);
  CHECK(f.failure(reduce(ReduceKind::maximum, f.level(k, one, f.b.integer(0)), index)).kind ==
        FailureKind::empty_reduction);
  CHECK(f.failure(reduce(ReduceKind::sum, f.level(k, one, one, 0), index)).kind == FailureKind::no_progress);
}

TEST_CASE("a failure names the loop's indices") {
  Fixture f;
  const auto k = f.b.binder("k");
  const auto inverse =
      f.b.divide(f.b.real(1), f.b.to_real(f.b.subtract(f.b.index(k), f.b.integer(3), f.site())), f.site());
  const auto sum = f.b.reduce(ReduceKind::sum, {f.level(k, f.b.integer(1), f.b.integer(9))}, inverse, {}, f.site());
  const auto failure = f.failure(sum);
  REQUIRE(failure.indices.size() == 1);
  CHECK(failure.indices[0] == std::pair<std::string, std::int64_t>{"k", 3});
}

TEST_CASE("an endless loop stops at the deadline") {
  Fixture f;
  const auto k = f.b.binder("k");
  const auto most = f.b.integer(std::numeric_limits<std::int64_t>::max());
  const auto count = f.b.reduce(ReduceKind::count, {f.level(k, f.b.integer(1), most)}, {}, {}, f.site());
  f.limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  CHECK(f.failure(count).kind == FailureKind::time_limit);
}
