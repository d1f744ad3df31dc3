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
  CHECK_FALSE(one.straight_down);
  REQUIRE(one.straight_up);
  CHECK(*one.straight_up == Approx(us(90)));
}

TEST_CASE("a derivative holds until another path is critical, or resources serve in another order") {
  const auto one = sensitivity(
      "wave 1\nmodel M { param W: time = 10 us; output t = max(3 * W, 26 us + W / 2, 10 * W - 110 us) }", "W");
  REQUIRE(one.derivative);
  CHECK(*one.derivative == 0.5);
  CHECK_FALSE(one.straight_down);  // down to 0
  REQUIRE(one.straight_up);
  CHECK(*one.straight_up == Approx(us(0.4)));  // then 3 W is more
  // Messages of two senders pass one interface of 4 us at their receiver. The one with W comes first until it is as
  // long as the other's computation.
  const auto served = sensitivity(
      "wave 1\nmachine N { resource rx of process protocol p(s: data) { sender { emit x after 1 us } "
      "receiver { await x via rx for 4 us; busy 1 us } } }\n"
      "model M { param W: time = 2 us; grid P[i: 3]\n process p on P using N() {\n"
      "if i == 1 { compute(W) send 1 B to P[3] } if i == 2 { compute(5 us) send 1 B to P[3] }\n"
      "if i == 3 { recv 1 B from P[1] recv 1 B from P[2] } }\n output t = p.time }",
      "W");
  REQUIRE(served.derivative);
  CHECK(*served.derivative == 1);
  REQUIRE(served.straight_down);
  CHECK(*served.straight_down == Approx(us(1)));
  REQUIRE(served.straight_up);
  CHECK(*served.straight_up == Approx(us(3)));
}

TEST_CASE("at a kink a derivative holds to one side only") {
  const auto one =
      sensitivity("wave 1\nmodel M { param W: time = 10 us; output t = max(W, 10 us, W / 3 + 20 us / 3) }", "W");
  REQUIRE(one.derivative);
  CHECK((one.straight_down == std::optional<double>(0)) == (*one.derivative != 0));
  CHECK((one.straight_up == std::optional<double>(0)) == (*one.derivative != 1));
}

TEST_CASE("a number below 0 may fall by more than itself") {
  const auto one = sensitivity("wave 1\nmodel M { param x: real = -8; output t = max(-20, x) * 1 us + 100 us }", "x");
  REQUIRE(one.straight_down);
  CHECK(*one.straight_down == Approx(12));
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
