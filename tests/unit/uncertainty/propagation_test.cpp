// The spread of a model's outputs, checked against known facts about normal distributions.
#include "analysis/uncertainty/propagation.h"

#include "backend/interpreter/inspection.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace wave;
using namespace wave::analysis;

namespace {

class UncertainModel {
 public:
  explicit UncertainModel(const std::string& text) {
    frontend::Diagnostics diagnostics;
    program_ = frontend::load("test.wave", {}, diagnostics, &text);
    for (const auto& item : program_->main().items) {
      if (item->name.text == "M")
        lowered = frontend::lower_model(*program_, *item, {}, diagnostics, {.uncertain = true});
    }
    for (const auto& one : diagnostics.all()) UNSCOPED_INFO(one.message);
    REQUIRE_FALSE(diagnostics.has_errors());
    engine_ = backend::make_interpreter(lowered.system);
    inputs = uncertain_inputs(lowered, *engine_, {});
  }

  Propagation propagate(std::size_t samples, std::uint64_t seed, int threads = 1) {
    std::vector<const frontend::OutputInfo*> outputs;
    for (const auto& output : lowered.outputs) outputs.push_back(&output);
    auto outcome = analysis::propagate(lowered, *engine_, inputs, outputs, samples, seed, threads, {});
    REQUIRE(std::holds_alternative<Propagation>(outcome));
    return std::get<Propagation>(std::move(outcome));
  }

  frontend::Lowered lowered;
  std::vector<UncertainInput> inputs;

 private:
  std::unique_ptr<frontend::Program> program_;
  std::unique_ptr<backend::Engine> engine_;
};

constexpr double us = 1e6;

const std::string linear =
    "wave 1\nmodel M { param a: time = 23 us ± 3 us; param b: time = 100 us +- 4 us; param c: time = 7 us\n output t = "
    "a + 2 * b + c }";

}  // namespace

TEST_CASE("the parameters that are written with a spread are found, with their means and deviations") {
  const UncertainModel model(linear);
  REQUIRE(model.inputs.size() == 2);
  CHECK(model.inputs[0].name == "a");
  CHECK(model.inputs[0].mean == 23 * us);
  CHECK(model.inputs[0].deviation == 3 * us);
  CHECK(model.inputs[1].name == "b");
  CHECK(model.inputs[1].deviation == 4 * us);
}

TEST_CASE("a linear model has the mean and the deviation that it must have") {
  UncertainModel model(linear);
  const double deviation = std::sqrt(3.0 * 3 + 8 * 8) * us;
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    const auto result = model.propagate(1000, seed);
    REQUIRE(result.spreads.size() == 1);
    const Spread& spread = result.spreads[0];
    CHECK(result.used == 1000);
    CHECK(spread.at_means == 230 * us);
    // Six standard errors of independent samples. The samples of a hypercube lie much nearer.
    CHECK(std::fabs(spread.summary.mean - 230 * us) < 6 * deviation / std::sqrt(1000));
    CHECK(std::fabs(spread.summary.deviation - deviation) < 6 * deviation / std::sqrt(2 * 1000));
    // The standard error of a quantile is sqrt(p (1 - p) / n) divided by the density there.
    const double density = std::exp(-1.96 * 1.96 / 2) / std::sqrt(2 * std::acos(-1)) / deviation;
    const double error = std::sqrt(0.025 * 0.975 / 1000) / density;
    CHECK(std::fabs(spread.summary.low - (230 * us - 1.959964 * deviation)) < 6 * error);
    CHECK(std::fabs(spread.summary.high - (230 * us + 1.959964 * deviation)) < 6 * error);
    REQUIRE(spread.parts.size() == 2);
    CHECK(spread.parts[0] == Approx(9.0 / 73).margin(0.02));
    CHECK(spread.parts[1] == Approx(64.0 / 73).margin(0.06));
  }
}

TEST_CASE("a model of one straight line scatters far less than samples drawn at will do") {
  UncertainModel model("wave 1\nmodel M { param a: time = 23 us ± 3 us; output t = 4 * a }");
  const auto result = model.propagate(1000, 1);
  const Summary& summary = result.spreads[0].summary;
  CHECK(std::fabs(summary.mean - 92 * us) < 12 * us / std::sqrt(1000) / 10);
  CHECK(std::fabs(summary.high - (92 + 1.959964 * 12) * us) < 0.1 * us);
  CHECK(result.spreads[0].parts[0] == Approx(1).epsilon(1e-9));
}

TEST_CASE("the larger of two has the mean and the deviation that Clark found") {
  // C. E. Clark, "The greatest of a finite set of random variables", Operations Research 9, 1961: the greater of two
  // independent normal numbers with equal means and deviations s has the mean `mean` + s / sqrt(pi) and the variance
  // s^2 (1 - 1 / pi).
  UncertainModel model(
      "wave 1\nmodel M { param a: time = 50 us ± 5 us; param b: time = 50 us ± 5 us; output t = max(a, b) }");
  const double pi = std::acos(-1);
  const auto result = model.propagate(4000, 7);
  const Summary& summary = result.spreads[0].summary;
  const double deviation = 5 * us * std::sqrt(1 - 1 / pi);
  CHECK(std::fabs(summary.mean - (50 * us + 5 * us / std::sqrt(pi))) < 6 * deviation / std::sqrt(4000));
  CHECK(std::fabs(summary.deviation - deviation) < 6 * deviation / std::sqrt(2 * 4000));
  CHECK(result.spreads[0].parts[0] == Approx(result.spreads[0].parts[1]).margin(0.06));
  CHECK(result.spreads[0].at_means == 50 * us);
}

TEST_CASE("intervals cover 95 % of the distribution, as they claim") {
  UncertainModel model(linear);
  const double deviation = std::sqrt(3.0 * 3 + 8 * 8) * us;
  const auto below = [&](double value) { return 0.5 * std::erfc(-(value - 230 * us) / deviation / std::sqrt(2)); };
  const int seeds = 20, samples = 2000;
  const double error = std::sqrt(0.95 * 0.05 / samples);  // of the part that one interval covers
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Summary summary = model.propagate(samples, static_cast<std::uint64_t>(seed)).spreads[0].summary;
    const double covered = below(summary.high) - below(summary.low);
    CHECK(std::fabs(covered - 0.95) < 6 * error);
    sum += covered;
  }
  CHECK(std::fabs(sum / seeds - 0.95) < 6 * error / std::sqrt(seeds));
}

TEST_CASE("a parameter that is read at two places is one draw, and so is a machine's that two parts have") {
  UncertainModel model(R"(wave 1
machine Net { param L: time = 10 us ± 1 us
  protocol p(s: data) { sender { emit x after L } receiver { await x } } }
model M { param one: Net = Net(); param two: Net = Net(); output none = one.L - two.L; output twice = one.L + two.L })");
  REQUIRE(model.inputs.size() == 1);
  CHECK(model.inputs[0].name == "one.L, two.L");
  const auto result = model.propagate(500, 3);
  CHECK(result.spreads[0].summary.deviation == 0);
  CHECK(result.spreads[0].parts.empty());
  CHECK(result.spreads[1].summary.deviation == Approx(2 * us).epsilon(0.02));
}

TEST_CASE("what is written twice is drawn twice") {
  UncertainModel model("wave 1\nmodel M { let a = 5 us ± 1 us; let b = 5 us ± 1 us; output t = a - b }");
  REQUIRE(model.inputs.size() == 2);
  CHECK(model.inputs[0].name == "5 us ± 1 us");
  CHECK(model.propagate(2000, 3).spreads[0].summary.deviation == Approx(std::sqrt(2) * us).epsilon(0.1));
}

TEST_CASE("a spread that depends on a parameter, in a let or a function, is carried") {
  UncertainModel model(
      "wave 1\nmodel M { param base: time = 10 us; param L: time = base ± 0.1 * base; fn f(x: real): time = x * (1 us "
      "± 0.5 us)\n"
      "output l = L; output t = f(2) }");
  REQUIRE(model.inputs.size() == 2);
  CHECK(model.inputs[1].name == "L");
  CHECK(model.inputs[1].deviation == us);
  const auto result = model.propagate(1000, 3);
  CHECK(result.spreads[0].summary.deviation == Approx(us).epsilon(0.02));
  CHECK(result.spreads[1].summary.deviation == Approx(us).epsilon(0.02));
}

TEST_CASE("the same seed gives the same bits, whatever the number of threads, and another seed others") {
  UncertainModel model(linear);
  const auto one = model.propagate(700, 9, 1).spreads[0], two = model.propagate(700, 9, 2).spreads[0];
  CHECK(one.summary.mean == two.summary.mean);
  CHECK(one.summary.deviation == two.summary.deviation);
  CHECK(one.parts == two.parts);
  CHECK(model.propagate(700, 10).spreads[0].summary.mean != one.summary.mean);
}

TEST_CASE("draws outside a parameter's range are made again, which cuts the distribution off") {
  // Half of a normal distribution has the mean s sqrt(2 / pi) and the deviation s sqrt(1 - 2 / pi).
  UncertainModel model("wave 1\nmodel M { param a: time = 0 us ± 5 us in 0 us..; output t = a }");
  const auto result = model.propagate(4000, 1);
  CHECK(result.used == 4000);
  CHECK(result.failed.empty());
  CHECK(result.drawn_again > 3000);
  const double pi = std::acos(-1), deviation = 5 * us * std::sqrt(1 - 2 / pi);
  CHECK(std::fabs(result.spreads[0].summary.mean - 5 * us * std::sqrt(2 / pi)) < 6 * deviation / std::sqrt(4000));
  CHECK(result.spreads[0].summary.low >= 0);
}

TEST_CASE("samples that fail are counted and left out") {
  UncertainModel model(
      "wave 1\nmodel M { param a: time = 10 us ± 5 us; output t = if a < 8 us then error(\"too fast\") else a }");
  const auto result = model.propagate(1000, 1);
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].kind() == frontend::DiagnosticKind::error_called);
  CHECK(result.failed[0].count + result.used == 1000);
  // The limit is 0.4 deviations below the mean, which 34.5 % do not reach.
  CHECK(std::fabs(static_cast<double>(result.failed[0].count) - 345) < 5);
  CHECK(result.spreads[0].summary.low >= 8 * us);
}

TEST_CASE("a parameter that is never within its range leaves nothing") {
  UncertainModel model("wave 1\nmodel M { param a: time = 10 us ± 1 ns in 20 us..; output t = a }");
  const auto result = model.propagate(20, 1);
  CHECK(result.used == 0);
  CHECK(result.spreads.empty());
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].kind() == frontend::DiagnosticKind::outside_range);
  CHECK(result.failed[0].count == 20);
}

TEST_CASE("whole numbers and truth values have a spread, choices none") {
  UncertainModel model(
      "wave 1\nmodel M { param a: real = 10 ± 1; param c: yes | no = yes; output n = floor(a); output big = a > 10; "
      "output w = c }");
  const auto result = model.propagate(1000, 1);
  REQUIRE(result.spreads.size() == 2);
  CHECK(result.spreads[0].summary.mean == Approx(9.5).margin(0.05));
  CHECK(result.spreads[1].summary.mean == Approx(0.5).margin(0.005));
}

TEST_CASE("a value that must be a constant counts with its mean") {
  UncertainModel model("wave 1\nmodel M { let t = table { 1 B: 5 us ± 1 us, 2 B: 7 us } linear; output o = t(1 B) }");
  CHECK(model.inputs.empty());
  REQUIRE(model.lowered.uncertain.size() == 1);
  CHECK_FALSE(model.lowered.uncertain[0].draw.valid());
}
