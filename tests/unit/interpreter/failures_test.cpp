// Limits, and which failure comes first.
#include "ir/operations.h"
#include "tests/unit/interpreter/fixture.h"

#include <limits>

using namespace wave;
using ir::FailureKind;
using test::Fixture;

namespace {

struct Line : Fixture {
  ir::SpaceId line;
  ir::EventId e;
  explicit Line(std::int64_t extent)
      : line(space({{"i", b.integer(extent)}, {"j", b.integer(extent)}})), e(event("start", line)) {
    constrain(e, e, {-1, 0}, {b.real(1)});
    system[e].otherwise = {b.real(0)};
  }
  ir::ValueId corner() { return at(e, {b.integer(1), b.integer(1)}); }
};

}  // namespace

TEST_CASE("a grid too large for memory is refused before it starts, with an estimate") {
  Line f(100'000);
  const auto failure = f.failure(f.corner());
  CHECK(failure.kind == FailureKind::memory_limit);
  CHECK(failure.detail == "needs about 90 GB for 10^10 cells of `start`, the limit is 8 GiB");
}

TEST_CASE("extents beyond all numbers are refused too") {
  Line f(std::numeric_limits<std::int64_t>::max());
  CHECK(f.failure(f.corner()).kind == FailureKind::memory_limit);
}

TEST_CASE("a grid too large for the time is refused before it starts, with an estimate") {
  Line f(20'000);
  f.limits.time_budget_seconds = 0.5;
  f.limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  const auto failure = f.failure(f.corner());
  CHECK(failure.kind == FailureKind::time_limit);
  CHECK(failure.detail.find("4.0 * 10^8 cells of `start`, the limit is 0.5 s") != std::string::npos);
}

TEST_CASE("a weight that is not finite fails in the recurrence, with its value") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(3)}});
  const auto e = f.event("e", line);
  const auto i = f.b.to_real(f.axis(line, 0));
  f.constrain(e, e, {-1}, {f.b.unary(ir::UnaryOp::exponential, f.b.multiply(i, f.b.real(400)))});
  f.system[e].otherwise = {f.b.real(0)};
  const auto failure = f.failure(f.at(e, {f.b.integer(1)}));
  CHECK(failure.kind == FailureKind::weight_not_finite);
  REQUIRE(failure.indices.size() == 1);
  CHECK(failure.indices[0].second == 2);
  CHECK(failure.values.at(0).real == std::numeric_limits<double>::infinity());
}

TEST_CASE("the same failure comes first whatever is asked, and stays") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(3)}});
  const auto e = f.event("e", line);
  const auto zero = f.b.reference(f.b.define(f.root, "zero", f.b.real(0)));
  const auto bad_cell = f.b.divide(f.b.to_real(f.axis(line, 0)), zero, f.site());
  const auto bad_else = f.b.unary(ir::UnaryOp::natural_log, zero, f.site());
  f.constrain(e, e, {-1}, {bad_cell});
  f.system[e].otherwise = {bad_else};
  CHECK(f.failure(f.at(e, {f.b.integer(3)})).kind == FailureKind::outside_domain);  // hoisted
  CHECK(f.failure(f.at(e, {f.b.integer(1)})).kind == FailureKind::outside_domain);
}

TEST_CASE("a point without a value and without an else fails there") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(3)}});
  const auto e = f.event("e", line);
  f.constrain(e, e, {-1}, {f.b.real(1)});
  const auto failure = f.failure(f.at(e, {f.b.integer(3)}));
  CHECK(failure.kind == FailureKind::all_absent);
  CHECK(failure.indices.at(0).second == 1);
}

TEST_CASE("an evaluation goes on after a failure") {
  Fixture f;
  const auto zero = f.b.reference(f.b.define(f.root, "zero", f.b.real(0)));
  const auto bad = f.b.define(f.root, "bad", f.b.divide(f.b.real(1), zero, f.site()));
  const auto good = f.b.define(f.root, "good", f.b.add(zero, f.b.real(1)));
  const auto engine = backend::make_interpreter(f.system);
  const auto evaluation = engine->start({}, {});
  for (int round = 0; round < 2; ++round) {
    CHECK(std::holds_alternative<ir::Failure>(evaluation->evaluate(bad)));
    CHECK(std::holds_alternative<backend::Rows>(evaluation->evaluate(good)));
  }
}

TEST_CASE("the memory of a call's events is free again after it") {
  Fixture f;
  const auto frame = f.b.frame("line", f.root);
  const auto n = f.b.parameter(frame, "n", ir::ScalarType::integer);
  const auto line =
      f.b.space({"Q", frame, {{"i", f.b.binder("i"), f.b.integer(1), f.b.parameter_value(n), false, {}, f.site()}}});
  const auto e = f.event("e", line);
  f.system[e].frame = frame;
  f.system[e].otherwise = {f.b.real(1)};
  const auto last = f.b.define(frame, "last", f.at(e, {f.b.parameter_value(n)}));
  const auto k = f.b.binder("k");
  const auto call = f.b.call(frame, last, {f.b.index(k)}, f.site());
  const auto sum = f.b.reduce(ir::ReduceKind::sum, {f.level(k, f.b.integer(1), f.b.integer(100))}, call, {}, f.site());
  f.limits.memory_bytes = 2000;  // one call needs 900, all of them 45 000
  CHECK(f.value(sum).real == 100);
}
