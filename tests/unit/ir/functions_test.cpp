// Properties that hold for every function of the table (ir/operations.def).
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/interval.h"
#include "ir/operations.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace wave::ir;

namespace {

const std::vector<UnaryOp> functions = {
#define WAVE_FUNCTION(name, ...) UnaryOp::name,
#include "ir/operations.def"
};

// The interval of a function whose operand ranges over `operand`.
Interval interval_of(UnaryOp op, Interval operand) {
  System system;
  Builder build(system);
  const BinderId binder = build.binder("k");
  const SiteId site = build.site(FailureKind::outside_domain, {}, "x");
  const ValueId value = build.unary(op, build.to_real(build.index(binder)), site);
  IntervalEvaluator evaluator(system, {});
  evaluator.bind(binder, operand);
  return evaluator.evaluate(value);
}

double as_real(Scalar x) { return x.type == ScalarType::real ? x.real : static_cast<double>(x.integer); }

}  // namespace

TEST_CASE("the interval of a function holds the values between its ends") {
  constexpr double ends[] = {-1e6, -27, -8.5, -1, -1e-3, 0, 1e-9, 0.5, 1, 2.5, 100, 1e6};
  constexpr int steps = 50;
  for (const UnaryOp op : functions) {
    INFO(operation(op).text);
    for (const double low : ends) {
      for (const double high : ends) {
        if (high <= low) continue;
        const Interval result = interval_of(op, {low, high});
        for (int step = 0; step <= steps; ++step) {
          const double x = std::min(low + (high - low) * step / steps, high);
          const auto value = arithmetic::unary(op, Scalar::of(x));
          if (value.failed) continue;
          INFO(x << " in [" << low << ", " << high << "]");
          REQUIRE(result.low <= as_real(value.value));
          REQUIRE(result.high >= as_real(value.value));
        }
      }
    }
  }
}

TEST_CASE("a function gives the type that its row says, and fails only where its row does") {
  for (const UnaryOp op : functions) {
    INFO(operation(op).text);
    REQUIRE(operation(op).takes(ScalarType::real));
    for (const double x : {-1e30, -2.5, -1.0, 0.0, 0.5, 1.0, 1e30}) {
      const auto value = arithmetic::unary(op, Scalar::of(x));
      if (value.failed) {
        CHECK(operation(op).can_fail(ScalarType::real));
      } else {
        CHECK(value.value.type == operation(op).result_of(ScalarType::real));
      }
    }
  }
}
