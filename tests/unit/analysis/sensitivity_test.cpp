// How outputs respond to parameters.
#include "analysis/sensitivity.h"

#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::test;

namespace {

analysis::Sensitivity sensitivity(const std::string& text, const std::string& parameter) {
  AnalysedModel model(text);
  const auto found = analysis::find_sensitivities(model.lowered, {parameter}, 0.01, interpreter, {});
  REQUIRE(found.size() == 1);
  analysis::Sensitivity one = found.front();
  one.output = nullptr;  // these point into the model, which ends here
  one.parameter = nullptr;
  return one;
}

}  // namespace

TEST_CASE("a parameter that counts twice may grow by half a percent of the total") {
  const auto one = sensitivity("wave 1\nmodel M { param W: time = 10 us; output t = 2 * W + 80 us }", "W");
  REQUIRE(one.derivative);
  CHECK(*one.derivative == 2);
  REQUIRE(one.growth);
  CHECK(*one.growth == Approx(us(0.5)));
}

TEST_CASE("a threshold is found by evaluating") {
  const auto one = sensitivity(
      "wave 1\nmodel M { param W: time = 10 us; output t = 100 us + W + (if W < 10.25 us then 0 else 50 us) }", "W");
  REQUIRE(one.growth);
  CHECK(*one.growth == Approx(us(0.25)));
}

TEST_CASE("what is hidden behind something longer may grow until it shows") {
  const auto one = sensitivity("wave 1\nmodel M { param W: time = 10 us; output t = max(100 us, W) }", "W");
  REQUIRE(one.derivative);
  CHECK(*one.derivative == 0);
  REQUIRE(one.growth);
  CHECK(*one.growth == Approx(us(91)));
}

TEST_CASE("the derivative of a function of a number is its slope") {
  constexpr double step = 1e-5;
  for (const ir::UnaryOp op : {
           ir::UnaryOp::square_root,
#define WAVE_CALLED(name, ...) ir::UnaryOp::name,
#include "ir/operations.def"
       }) {
    const auto at = [&](double x) { return ir::arithmetic::unary(op, ir::Scalar::of(x)).value.real; };
    const std::string name = ir::operation(op).text;
    INFO(name);
    for (const double x : {0.5, 2.5}) {
      const auto one = sensitivity(
          "wave 1\nmodel M { param x: real = " + std::to_string(x) + "; output y = " + name + "(x) * 1 us }", "x");
      REQUIRE(one.derivative);
      CHECK(*one.derivative == Approx(us((at(x + step) - at(x - step)) / (2 * step))).epsilon(1e-6));
    }
  }
}

TEST_CASE("a cube root rises below 0 as it does above") {
  const auto one = sensitivity("wave 1\nmodel M { param x: real = -8; output y = cbrt(x) * 1 us }", "x");
  REQUIRE(one.derivative);
  CHECK(*one.derivative == Approx(us(1.0 / 12)));
}

TEST_CASE("a parameter without a part may grow without end") {
  const auto one = sensitivity("wave 1\nmodel M { param W: time = 10 us; output t = 100 us }", "W");
  CHECK_FALSE(one.growth);
}
