// How outputs respond to parameters.
#include "analysis/sensitivity.h"

#include "analysis/explanations.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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
    if (op == ir::UnaryOp::random_number) continue;  // it has no slope
    const auto at = [&](double x) { return ir::arithmetic::unary(op, ir::Scalar::of(x)).value.real; };
    const std::string name = ir::operation(op).text;
    INFO(name);
    for (const double x : {0.5, 0.75, 2.5}) {
      if (ir::arithmetic::unary(op, ir::Scalar::of(x)).failed) continue;
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

TEST_CASE("a root has no derivative at 0, where its slope has no bounds, and a power has that of its exponent") {
  const auto slope = [](const std::string& of) {
    return sensitivity("wave 1\nmodel M { param x: real = 0; output y = " + of + " * 1 us }", "x").derivative;
  };
  for (const char* root : {"sqrt(x)", "cbrt(x)", "x ^ 0.5", "x ^ 0.25", "sqrt(2 * x)"}) {
    INFO(root);
    CHECK_FALSE(slope(root));
  }
  const auto of_time = [](const std::string& of) {
    return sensitivity("wave 1\nmodel M { param V: time = 0 us; output t = " + of + " * 1 us }", "V").derivative;
  };
  CHECK_FALSE(of_time("sqrt(V / 1 us)"));
  CHECK_FALSE(of_time("(V / 1 us) ^ 0.75"));
  CHECK(of_time("(V / 1 us + sqrt(1 + V / 1 us) - 1)") == Approx(1.5));
  CHECK(slope("x ^ 1.0") == Approx(us(1)));
  CHECK(slope("x ^ 1.5") == 0);
  CHECK(slope("x ^ 0.0") == 0);
  CHECK(slope("sqrt(x ^ 2 + 1)") == 0);
  CHECK(slope("(if x > 0 then sqrt(x) else 0)") == 0);
}

TEST_CASE("a parameter without a part may grow without end") {
  const auto one = sensitivity("wave 1\nmodel M { param W: time = 10 us; output t = 100 us }", "W");
  CHECK_FALSE(one.growth);
}

namespace {

// The output at another value of a parameter.
double output_at(const AnalysedModel& model, const analysis::Sensitivity& of, double value) {
  const auto engine = interpreter(model.lowered.system);
  const auto outcome =
      engine->start({{of.parameter->definition, ir::Scalar::of(value)}}, {})->evaluate(of.output->root);
  return std::get<backend::Rows>(outcome).cells.at(0).real;
}

struct Asked {
  const char* model;
  std::vector<std::string> parameters;
};

// Quantities of every dimension act on processes: on what they compute, on messages and their sizes, on what varies by
// tile and by round, from 0 on, and where other parameters are made of them.
const std::string machine = R"(wave 1
import std.comm { Machine }
machine Net {
  param o: time = 2 us
  param L: time = 10 us
  param G: time/data = 1 ns/B
  param bandwidth: data/time = 2 GB/s
  param clock: 1/time = 2 GHz
  param wait: time = 0 us
  param more: time/data = 0 ns/B
  protocol eager(s: data) {
    sender   { busy o + 500 / clock; emit payload after L + s * G + s / bandwidth + wait }
    receiver { await payload; busy o + s * more }
  }
}
)";
const std::vector<Asked> asked{
    {R"(model M {
  param net: Net = Net()
  param size: data = 64 kB
  param W: time = 5 us
  param speed: work/time = 2 Gflop/s
  param n: real = 3
  grid P[i: 4]
  process p on P using net {
    if i > 1 { recv size from [i-1] }
    compute(W * i + 3 kflop / speed * n)
    if i < 4 { send size to [i+1] }
  }
  output t = p.time
  output rate = size / p.time
  output work = p.time * speed
  output efficiency = W / p.time
  output frequency = 1 / p.time
  output mean = p.finish.mean
  output part = p.wait
  output own = p.compute
})",
     {"net.o", "net.L", "net.G", "net.bandwidth", "net.clock", "net.wait", "net.more", "size", "W", "speed", "n"}},
    {R"(model M {
  param net: Net = Net()
  param W: time = 5 us
  param twice: time = 2 * W
  grid P[i: 3]
  process p on P using net {
    sweep from [(+)] tiles 10 { recv 8 B from upwind i  compute(tile * W + twice)  send 8 B to downwind i }
    for k in 1..3 { compute(k * W / 3) }
  }
  output t = p.time
  output part = p.compute
  output made = twice + 3 us
})",
     {"W", "twice", "net.L", "net.G"}},
    {R"(model M {
  param net: Net = Net()
  param W: time = 5 us
  param size: data = 64 kB
  grid P[i: 3, j: 4]
  process p on P using net {
    sweep from [(+,-)] tiles 10 {
      recv from upwind i
      recv tile * (j + 1) * size from upwind j
      compute(tile * j * W)
      send (if tile > 5 then i * size else 80 kB) to downwind i
      send tile * j * size to downwind j
    }
    for k in 1..3 {
      isend k * size / i to [i + 1, j] as out
      irecv k * size / (i - 1) from [i - 1, j]
      compute(W / (k + i))
      waitall
    }
    if i == 1 { send j * size to P[3, j] }
    if i == 3 { recv from P[1, j] }
  }
  output t = p.time
  output own = p.overhead
  output second = p.finish[2, 2]
})",
     {"W", "size", "net.L", "net.G", "net.bandwidth", "net.o"}},
};

}  // namespace

TEST_CASE("derivatives by parameters of every dimension are what differences give", "[long]") {
  for (const Asked& one : asked) {
    AnalysedModel model(machine + one.model);
    const auto found = analysis::find_sensitivities(model.lowered, one.parameters, 0.01, interpreter, {});
    CHECK(found.size() % one.parameters.size() == 0);
    for (const analysis::Sensitivity& of : found) {
      INFO(of.output->name << " by " << of.parameter->path);
      REQUIRE(of.derivative);
      const double step = of.value == 0 ? 1e-3 : of.value * 1e-4, below = of.value == 0 ? 0 : step;
      const double slope =
          (output_at(model, of, of.value + step) - output_at(model, of, of.value - below)) / (step + below);
      CHECK(*of.derivative == Approx(slope).epsilon(1e-5).margin(1e-9 * std::fabs(of.total / step)));
    }
  }
}

TEST_CASE("what decides how often something is done has no exact derivative, and its place is named") {
  const auto one = sensitivity(machine +
                                   "model M { param net: Net = Net() param S: data = 64 B grid P[i: 2]\n"
                                   "process p on P using net { repeat int(ceil(S / 7 B)) { compute(S * 1 ns/B) } }\n"
                                   "output t = p.time }",
                               "S");
  CHECK(one.why_not == "it decides which iterations there are");
  CHECK(one.where.known());
  REQUIRE(one.derivative);
  CHECK(*one.derivative == Approx(10 * 1000));
}

TEST_CASE("what takes no time at this value of a parameter has the slope above it") {
  const auto at = [](const std::string& name, const std::string& time) {
    return sensitivity(machine + "model M { param net: Net = Net() param W: time = 6 us param V: time = 0 us\n" +
                           "param x: real = 0 grid P[i: 3]\n process p on P using net { " + time +
                           " }\n output t = p.time }",
                       name);
  };
  const auto less = at("W", "compute(W - 6 us)");
  REQUIRE(less.derivative);
  CHECK(*less.derivative == Approx(1));
  CHECK(less.straight_down == std::optional<double>(0));
  CHECK_FALSE(less.straight_up);
  const auto all = at("V", "for k in 1..5 { compute(k * V) }");
  REQUIRE(all.derivative);
  CHECK(*all.derivative == Approx(15));
  const auto of_number = at("x", "for k in 1..5 { compute(k * x * 1 us) }");
  REQUIRE(of_number.derivative);
  CHECK(*of_number.derivative == Approx(us(15)));
  const auto hidden = at("V", "compute(max(0, 5 * V - 1 us))");
  REQUIRE(hidden.derivative);
  CHECK(*hidden.derivative == 0);
}

TEST_CASE("each parameter whose answer takes longer than the limit is named") {
  AnalysedModel model(
      machine +
      "model M { param net: Net = Net() param V: time = 1 us param W: time = 2 us grid P[i: 40]\n"
      "process p on P using net { repeat 200 { compute(V + i * W) send 8 B to [i+1] recv 8 B from [i-1] } }\n"
      "output t = p.time }");
  backend::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  frontend::Diagnostics diagnostics;
  analysis::explain_sensitivities(model.program(), model.item(), model.lowered, {"V", "W", "net.L"}, interpreter,
                                  limits, diagnostics);
  for (const char* name : {"`V`", "`W`", "`net.L`"}) {
    INFO(name);
    CHECK(std::ranges::any_of(diagnostics.all(), [&](const frontend::Diagnostic& one) {
      return one.message.find(name) != std::string::npos;
    }));
  }
}

TEST_CASE("where more than two paths are as long, the derivative is the slope above") {
  const auto one = sensitivity(
      "wave 1\nmodel M { param W: time = 10 us; output t = max(W, 2 * W - 10 us, 3 * W - 20 us, 4 * W - 30 us) }", "W");
  REQUIRE(one.derivative);
  CHECK((*one.derivative == Approx(4) || one.straight_down != std::optional<double>(0)));
  const auto middle =
      sensitivity("wave 1\nmodel M { param W: time = 10 us; output t = max(2 * W - 10 us, W, 4 * W - 30 us) }", "W");
  REQUIRE(middle.derivative);
  CHECK(*middle.derivative == Approx(4));
  CHECK(middle.straight_down == std::optional<double>(0));
  CHECK_FALSE(middle.straight_up);
}

TEST_CASE("at a kink or a jump a derivative holds to one side") {
  const auto at = [](const std::string& output) {
    return sensitivity(
        machine + "model M { param net: Net = Net() param W: time = 6 us grid P[i: 2]\n" +
            "process p on P using net { sweep from [(+)] tiles 3 { recv 8 B from upwind i compute(tile * W) send 8 B "
            "to downwind i } }\n output t = " +
            output + " }",
        "W");
  };
  CHECK(at("p.time").derivative);
  const auto bent = at("max(p.compute, 36 us)");
  REQUIRE(bent.derivative);
  CHECK(*bent.derivative == Approx(6));
  CHECK(bent.straight_down == std::optional<double>(0));
  CHECK_FALSE(bent.straight_up);
  const auto jump = at("p.compute + (if p.compute <= 36 us then 5 us else 0)");
  REQUIRE(jump.derivative);
  CHECK(*jump.derivative == Approx(6));
  CHECK(jump.straight_up == std::optional<double>(0));
  CHECK_FALSE(jump.straight_down);
  CHECK_FALSE(jump.failure);
}
