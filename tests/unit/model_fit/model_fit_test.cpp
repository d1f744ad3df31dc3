// Fits of parameters: they recover what made the data, name what the data leave open, and give intervals that keep
// their promise.
#include "tests/unit/model_fit/functions.h"

#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

using namespace wave;
using namespace wave::test;
using namespace wave::analysis::model_fit;

namespace wave::test {

std::uint64_t seed_from(std::uint64_t usual) {
  const char* const given = std::getenv("WAVE_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
}

}  // namespace wave::test

namespace {

FittedModel fit(const Function& function, const FitProblem& problem, const FitOptions& options = {}) {
  const auto result = fit_model(predictions_of(function, problem.observations.measured.size()), problem, options);
  REQUIRE(result);
  return *result;
}

#ifdef WAVE_FEW_ROUNDS
constexpr int many_draws = 100, some_draws = 30;
#else
constexpr int many_draws = 400, some_draws = 200;
#endif

// A pipeline on `p` processors: work and messages, in picoseconds as in models. What dominates depends on the
// parameters.
double pipeline(const VectorXd& at, Index configuration) {
  const auto p = static_cast<double>(1 << (configuration % 8));
  const double blocks = configuration < 8 ? 100 : 1000;
  const double work = at[0] * 1e6 / p / blocks;
  const double message = at[1] + at[2] * 4096;
  return blocks * std::max(work, 2 * message) + (p - 1) * (work + message);
}

const std::vector<FitParameter> pipeline_parameters = {{1e5, 0, unbounded}, {1e6, 0, unbounded}, {100, 0, unbounded}};

}  // namespace

TEST_CASE("parameters that made the data are found to the precision of the solver, from far away", "[model_fit]") {
  const std::uint64_t seed = seed_from(20260101);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> decades(-1, 1);
  for (int round = 0; round < 50; ++round) {
    INFO("WAVE_SEED=" << seed << ", round " << round);
    const VectorXd truth = VectorXd{{1e5 * std::pow(10, decades(random)), 1e6 * std::pow(10, decades(random)),
                                     100 * std::pow(10, decades(random))}};
    auto problem = problem_of(pipeline, 16, truth, pipeline_parameters);
    problem.observations.relative = round % 2 == 0;
    const auto found = fit(pipeline, problem);
    CHECK(found.converged);
    CHECK(found.parameters[0].value == Approx(truth[0]).epsilon(1e-7));
    // These messages show only the sum L + 4096 G.
    CHECK(found.parameters[1].value + 4096 * found.parameters[2].value ==
          Approx(truth[1] + 4096 * truth[2]).epsilon(1e-7));
    CHECK(found.residuals.cwiseAbs().maxCoeff() <=
          1e-7 * (problem.observations.relative ? 1 : problem.observations.measured.maxCoeff()));
  }
}

TEST_CASE("what only a sum determines is named with the sum", "[model_fit]") {
  // A ping-pong with messages of one byte and of a kilobyte, with parameters o, L, G.
  const Function ping_pong = [](const VectorXd& at, Index i) {
    return 2 * at[0] + at[1] + at[2] * (i % 2 == 0 ? 1 : 1024);
  };
  const auto problem = problem_of(ping_pong, 4, VectorXd{{23e6, 23e6, 0.07e6}},
                                  {{1e6, 0, unbounded}, {1e6, 0, unbounded}, {1e4, 0, unbounded}});
  const auto found = fit(ping_pong, problem);
  REQUIRE(found.open.size() == 1);
  const auto& open = found.open.front();
  CHECK(open.parameters == std::vector<std::size_t>{0, 1});
  CHECK(open.kind == OpenCombination::Kind::sum);
  REQUIRE(open.factors.size() == 2);
  CHECK(open.factors[0] == Approx(2).epsilon(1e-5));
  CHECK(open.factors[1] == Approx(1).epsilon(1e-5));
  CHECK(open.direction[1] == Approx(-2).epsilon(1e-5));
  CHECK(found.parameters[0].standing == Standing::open);
  CHECK(found.parameters[1].standing == Standing::open);
  CHECK(std::isnan(found.parameters[0].low));
  CHECK(found.parameters[2].standing == Standing::determined);
  CHECK(found.parameters[2].value == Approx(0.07e6).epsilon(1e-6));
  CHECK(2 * found.parameters[0].value + found.parameters[1].value == Approx(69e6).epsilon(1e-7));
}

TEST_CASE("a product that alone is determined is named as one", "[model_fit]") {
  const Function area = [](const VectorXd& at, Index i) { return at[0] * at[1] * static_cast<double>(i + 1) + at[2]; };
  const auto problem =
      problem_of(area, 6, VectorXd{{3, 5, 2}}, {{1, 0, unbounded}, {1, 0, unbounded}, {1, 0, unbounded}});
  const auto found = fit(area, problem);
  REQUIRE(found.open.size() == 1);
  CHECK(found.open.front().kind == OpenCombination::Kind::product);
  CHECK(found.open.front().parameters == std::vector<std::size_t>{0, 1});
  CHECK(std::abs(found.open.front().factors[0]) == Approx(1).epsilon(1e-4));
  CHECK(found.parameters[0].value * found.parameters[1].value == Approx(15).epsilon(1e-7));
  CHECK(found.parameters[2].value == Approx(2).epsilon(1e-6));
}

TEST_CASE("two pairs that are open are named apart", "[model_fit]") {
  const Function two = [](const VectorXd& at, Index i) {
    return at[0] + at[2] + (3 * at[1] + at[3]) * static_cast<double>(i + 1);
  };
  const auto problem = problem_of(two, 6, VectorXd{{1, 2, 3, 4}}, std::vector<FitParameter>(4, {2.5, 0, unbounded}));
  const auto found = fit(two, problem);
  REQUIRE(found.open.size() == 2);
  for (const auto& open : found.open) {
    REQUIRE(open.parameters.size() == 2);
    CHECK(open.parameters[0] + 2 == open.parameters[1]);
    CHECK(open.kind == OpenCombination::Kind::sum);
    CHECK(open.factors[0] == Approx(open.parameters[0] == 0 ? 1 : 3).epsilon(1e-4));
  }
}

TEST_CASE("a parameter on which nothing depends is told from one that is open", "[model_fit]") {
  const Function idle = [](const VectorXd& at, Index i) {
    return std::max(at[0] * static_cast<double>(i + 1), 1e-3 * at[1]);
  };
  const auto problem = problem_of(idle, 4, VectorXd{{7, 1}}, {{1, 0, unbounded}, {1, 0, 10}});
  const auto found = fit(idle, problem);
  CHECK(found.parameters[0].standing == Standing::determined);
  CHECK(found.parameters[0].value == Approx(7).epsilon(1e-8));
  CHECK(found.parameters[1].standing == Standing::without_influence);
  CHECK(found.open.empty());
}

TEST_CASE("the best within bounds is at a bound where the best of all is beyond", "[model_fit]") {
  const Function line = [](const VectorXd& at, Index i) { return at[0] + at[1] * static_cast<double>(i + 1); };
  auto problem = problem_of(line, 8, VectorXd{{10, 3}}, {{5, 0, 8}, {1, 0, unbounded}});
  problem.observations.relative = false;
  const auto found = fit(line, problem);
  CHECK(found.parameters[0].standing == Standing::at_upper);
  CHECK(found.parameters[0].value == 8);
  CHECK(std::isnan(found.parameters[0].low));
  // The slope of the line through (0, 8) that is nearest to 10 + 3 k is 3 + 2 sum k / sum k^2.
  CHECK(found.parameters[1].value == Approx(3 + 2 * 36.0 / 204).epsilon(1e-7));
  CHECK(found.parameters[1].standing == Standing::determined);
  problem.parameters[0] = {20, 12, unbounded};
  const auto above = fit(line, problem);
  CHECK(above.parameters[0].standing == Standing::at_lower);
  CHECK(above.parameters[1].value == Approx(3 - 2 * 36.0 / 204).epsilon(1e-7));
}

TEST_CASE("a minimum on an edge of the model is found, and said to be one", "[model_fit]") {
  // The model is |x - 2| + 1, never below 1, and measured to be 1/2. So nothing is nearer than the edge.
  const Function edge = [](const VectorXd& at, Index) { return 1 + std::abs(at[0] - 2); };
  auto problem = problem_of(edge, 3, VectorXd{{2}}, {{5, 0, 10}});
  problem.observations.measured.setConstant(0.5);
  const auto found = fit(edge, problem);
  CHECK(found.parameters[0].value == Approx(2).epsilon(1e-6));
  CHECK(found.converged);
  CHECK_FALSE(found.smooth);
}

TEST_CASE("of several minima the lowest is found, and equal ones are told", "[model_fit]") {
  // Wrong regimes catch descents that start from 1 to about 4.
  const Function regimes = [](const VectorXd& at, Index i) {
    const double x = at[0], k = static_cast<double>(i + 1);
    return x < 4 ? 30 + k * std::abs(x - 2) : k * x;
  };
  const auto found = fit(regimes, problem_of(regimes, 5, VectorXd{{9}}, {{1, 0, 100}}), {false, 0.95, 20});
  CHECK(found.parameters[0].value == Approx(9).epsilon(1e-7));
  CHECK(found.starts == 20);
  CHECK(found.reached < 20);

  const Function square = [](const VectorXd& at, Index i) {
    return std::pow(at[0] - 5, 2) + static_cast<double>(i + 1);
  };
  const auto two = fit(square, problem_of(square, 5, VectorXd{{7}}, {{6.5, 0.1, 100}}), {false, 0.95, 20});
  CHECK(two.parameters[0].value == Approx(7).epsilon(1e-6));
  REQUIRE(two.elsewhere.size() == 1);
  CHECK(two.elsewhere[0] == Approx(3).epsilon(1e-6));
}

TEST_CASE("a parameter that is usually zero is found at whatever size", "[model_fit]") {
  for (const double truth : {1e-6, 3.0, 5e9}) {
    const Function gap = [truth](const VectorXd& at, Index i) { return truth + at[0] * static_cast<double>(i); };
    const auto found = fit(gap, problem_of(gap, 5, VectorXd{{truth}}, {{0, 0, unbounded}}));
    CHECK(found.parameters[0].value == Approx(truth).epsilon(1e-6));
  }
}

TEST_CASE("a function that fails everywhere gives no fit, one that fails in places does not matter", "[model_fit]") {
  const Function never = [](const VectorXd&, Index) { return std::nan(""); };
  FitProblem problem;
  problem.parameters = {{1, 0, 10}};
  problem.observations.measured = VectorXd::Ones(3);
  problem.counts.assign(3, 1);
  CHECK_FALSE(fit(never, problem).converged);

  const Function sometimes = [](const VectorXd& at, Index i) {
    return at[0] > 20 ? std::nan("") : at[0] * static_cast<double>(i + 1);
  };
  const auto found = fit(sometimes, problem_of(sometimes, 4, VectorXd{{15}}, {{1, 0, unbounded}}));
  CHECK(found.converged);
  CHECK(found.parameters[0].value == Approx(15).epsilon(1e-8));
  const auto stopped = fit_model([](const MatrixXd&) { return std::nullopt; }, problem, {});
  CHECK_FALSE(stopped);
}

TEST_CASE("intervals cover the truth as often as they claim", "[model_fit]") {
  const std::uint64_t seed = seed_from(20260102);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  // Work, and the cost of a message in one number, on 2 to 2^8 processors.
  const Function model = [](const VectorXd& at, Index i) {
    const auto p = static_cast<double>(2 << (i % 8));
    return at[0] * 1000 / p + at[1] * std::log2(p) * (i < 8 ? 1 : 3);
  };
  const VectorXd truth{{0.8, 2.5}};
  constexpr int draws = many_draws;
  for (const double claimed : {0.5, 0.95}) {
    int covered[2] = {0, 0};
    for (int draw = 0; draw < draws; ++draw) {
      auto problem = problem_of(model, 16, truth, {{1, 0, unbounded}, {1, 0, unbounded}});
      for (double& one : problem.observations.measured) one *= std::exp(0.05 * noise(random));
      FitOptions options;
      options.confidence = claimed;
      options.starts = 1;
      const auto found = fit(model, problem, options);
      for (std::size_t p = 0; p < 2; ++p) {
        if (found.parameters[p].low <= truth[static_cast<Index>(p)] &&
            truth[static_cast<Index>(p)] <= found.parameters[p].high)
          ++covered[p];
      }
    }
    // A fair count leaves this range on either side with a chance of one in 10^5.
    const boost::math::binomial count(draws, claimed);
    INFO("WAVE_SEED=" << seed << ", " << claimed);
    for (const int one : covered) {
      CHECK(one >= boost::math::quantile(count, 1e-5));
      CHECK(one <= boost::math::quantile(boost::math::complement(count, 1e-5)));
    }
  }
}

TEST_CASE("leaving out one configuration predicts it as a fit without it does", "[model_fit]") {
  const std::uint64_t seed = seed_from(20260103);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  for (const bool relative : {true, false}) {
    INFO("WAVE_SEED=" << seed);
    auto problem = problem_of(pipeline, 16, VectorXd{{1.3e5, 2e7, 0}}, {{1e5, 0, unbounded}, {1e6, 0, unbounded}});
    const Function two = [](const VectorXd& at, Index i) { return pipeline(VectorXd{{at[0], at[1], 0}}, i); };
    problem.observations.relative = relative;
    for (double& one : problem.observations.measured) one *= std::exp(0.1 * noise(random));
    const auto found = fit(two, problem);
    CHECK(found.left_out.refitted);
    for (Index left_out = 0; left_out < 16; ++left_out) {
      const Function rest = [&](const VectorXd& at, Index i) { return two(at, i < left_out ? i : i + 1); };
      auto fewer = problem;
      fewer.observations.measured.resize(15);
      for (Index i = 0; i < 15; ++i)
        fewer.observations.measured[i] = problem.observations.measured[i < left_out ? i : i + 1];
      fewer.counts.resize(15);
      const auto refit = fit(rest, fewer);
      const double expected = two(VectorXd{{refit.parameters[0].value, refit.parameters[1].value}}, left_out);
      CHECK(found.left_out.predicted[left_out] == Approx(expected).epsilon(1e-5));
    }
  }
}

TEST_CASE("many configurations are left out by derivatives, as exactly for a line", "[model_fit]") {
  const std::uint64_t seed = seed_from(20260104);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  const Function line = [](const VectorXd& at, Index i) { return at[0] + at[1] * static_cast<double>(i); };
  auto problem = problem_of(line, 150, VectorXd{{100, 3}}, {{1, 0, unbounded}, {1, 0, unbounded}});
  problem.observations.relative = false;
  for (double& one : problem.observations.measured) one += noise(random);
  const auto found = fit(line, problem);
  CHECK_FALSE(found.left_out.refitted);
  for (const Index left_out : {0, 75, 149}) {
    INFO("WAVE_SEED=" << seed << ", without " << left_out);
    const Function rest = [&](const VectorXd& at, Index i) { return line(at, i < left_out ? i : i + 1); };
    auto fewer = problem;
    fewer.observations.measured.resize(149);
    for (Index i = 0; i < 149; ++i)
      fewer.observations.measured[i] = problem.observations.measured[i < left_out ? i : i + 1];
    fewer.counts.resize(149);
    const auto refit = fit(rest, fewer);
    const double expected = refit.parameters[0].value + refit.parameters[1].value * static_cast<double>(left_out);
    CHECK(found.left_out.predicted[left_out] == Approx(expected).epsilon(1e-8));
  }
}

TEST_CASE("a configuration that alone determines something is indispensable", "[model_fit]") {
  const Function model = [](const VectorXd& at, Index i) { return at[0] + (i == 2 ? at[1] : 0); };
  const auto found = fit(model, problem_of(model, 4, VectorXd{{3, 4}}, {{1, 0, unbounded}, {1, 0, unbounded}}));
  CHECK(found.left_out.indispensable == std::vector<std::size_t>{2});
  CHECK(std::isnan(found.left_out.predicted[2]));
  CHECK(found.left_out.predicted[0] == Approx(3));
}

TEST_CASE("a robust fit leaves out what is far off, and its intervals still cover", "[model_fit]") {
  const std::uint64_t seed = seed_from(20260105);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  const Function model = [](const VectorXd& at, Index i) { return at[0] * 100 / static_cast<double>(i + 1) + at[1]; };
  const VectorXd truth{{2, 5}};
  constexpr int draws = some_draws;
  int covered = 0;
  for (int draw = 0; draw < draws; ++draw) {
    auto problem = problem_of(model, 20, truth, {{1, 0, unbounded}, {1, 0, unbounded}});
    for (double& one : problem.observations.measured) one *= std::exp(0.02 * noise(random));
    problem.observations.measured[3] *= 3;
    problem.observations.measured[11] *= 5;
    const auto found = fit(model, problem, {true, 0.95, 2});
    INFO("WAVE_SEED=" << seed << ", draw " << draw);
    CHECK(found.weights[3] == 0);
    CHECK(found.weights[11] == 0);
    CHECK(found.parameters[0].value == Approx(2).epsilon(0.08));
    if (found.parameters[0].low <= 2 && 2 <= found.parameters[0].high) ++covered;
    if (draw == 0) CHECK(std::abs(fit(model, problem).parameters[0].value - 2) > 0.2);
  }
  INFO("WAVE_SEED=" << seed);
  // The intervals are asymptotic, with a scale from 18 residuals, so they cover a little less than claimed, but not
  // much.
  const boost::math::binomial count(draws, 0.90);
  CHECK(covered >= boost::math::quantile(count, 1e-4));
}

TEST_CASE("as many parameters as configurations leave intervals to repetitions alone", "[model_fit]") {
  const Function line = [](const VectorXd& at, Index i) { return at[0] + at[1] * static_cast<double>(i); };
  auto problem = problem_of(line, 2, VectorXd{{10, 5}}, {{1, 0, unbounded}, {1, 0, unbounded}});
  const auto alone = fit(line, problem);
  CHECK(std::isnan(alone.deviation));
  CHECK(std::isnan(alone.parameters[0].low));
  problem.counts = {5, 5};
  problem.repetition_squares = 8 * 0.01;
  problem.repetition_freedom = 8;
  const auto repeated = fit(line, problem);
  CHECK(repeated.from_repetitions);
  CHECK(repeated.freedom == 8);
  CHECK(repeated.deviation == Approx(0.1));
  // The mean of five values at 10 with a standard deviation of 10 %, and Student's t for 8 degrees of freedom.
  CHECK(repeated.parameters[0].error == Approx(10 * 0.1 / std::sqrt(5)));
  CHECK(repeated.parameters[0].high == Approx(10 + 2.306 * 10 * 0.1 / std::sqrt(5)).epsilon(1e-3));
}

TEST_CASE("a configuration that was measured five times counts as five rows do", "[model_fit]") {
  const Function curve = [](const VectorXd& at, Index i) {
    return at[0] + at[1] * std::pow(static_cast<double>(i + 1), 1.3);
  };
  const Function line = [](const VectorXd& at, Index i) { return at[0] + at[1] * static_cast<double>(i + 1); };
  auto problem = problem_of(curve, 4, VectorXd{{1, 2}}, {{1, 0, unbounded}, {1, 0, unbounded}});
  problem.counts = {1, 5, 1, 2};
  const std::vector<Index> rows = {0, 1, 1, 1, 1, 1, 2, 3, 3};
  const Function repeated = [&](const VectorXd& at, Index i) { return line(at, rows[static_cast<std::size_t>(i)]); };
  auto longer = problem;
  longer.counts.assign(rows.size(), 1);
  longer.observations.measured.resize(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    longer.observations.measured[static_cast<Index>(i)] = problem.observations.measured[rows[i]];
  const auto short_fit = fit(line, problem), long_fit = fit(repeated, longer);
  for (std::size_t p = 0; p < 2; ++p)
    CHECK(short_fit.parameters[p].value == Approx(long_fit.parameters[p].value).epsilon(1e-6));
}

TEST_CASE("what the model misses is told from what repetitions scatter", "[model_fit]") {
  const Function line = [](const VectorXd& at, Index i) { return at[0] * static_cast<double>(i + 1); };
  const Function curve = [](const VectorXd& at, Index i) { return at[0] * std::pow(static_cast<double>(i + 1), 1.3); };
  auto problem = problem_of(curve, 6, VectorXd{{1}}, {{1, 0, unbounded}});
  problem.counts.assign(6, 3);
  problem.repetition_freedom = 12;
  problem.repetition_squares = 12 * 1e-4;
  const auto found = fit(line, problem);
  REQUIRE(found.lack);
  CHECK(found.lack->ratio > 10);
  CHECK(found.lack->probability < 1e-6);
  problem.repetition_squares = 12 * 0.25;
  const auto noisy = fit(line, problem);
  REQUIRE(noisy.lack);
  CHECK(noisy.lack->probability > 0.05);
}

TEST_CASE("a valley with an edge along it, down which no direction leads far, is not said to be its end",
          "[model_fit][long]") {
  const Function valley = [](const VectorXd& at, Index) {
    return 1 + 100 * std::abs(at[1] - at[0] * at[0]) + std::abs(1 - at[0]);
  };
  FitProblem problem;
  problem.parameters = {{-1.5, -3, 3}, {2, -3, 3}};
  problem.observations.measured = VectorXd::Constant(3, 0.5);
  problem.counts.assign(3, 1);
  const auto one = fit(valley, problem, {false, 0.95, 1});
  const bool at_its_end = std::abs(one.parameters[0].value - 1) < 1e-3 && std::abs(one.parameters[1].value - 1) < 1e-3;
  CHECK((at_its_end || !one.converged));
  const auto eight = fit(valley, problem);
  CHECK(eight.parameters[0].value == Approx(1).epsilon(0.01));
  CHECK(eight.parameters[1].value == Approx(1).epsilon(0.02));
}

TEST_CASE("a model without edges near its minimum is asked at few points", "[model_fit]") {
  // A pipeline whose work dominates, with errors: the minimum is where all but the smallest runs are linear.
  const std::uint64_t seed = seed_from(20260107);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  std::size_t points = 0;
  const auto fit_counted = [&](const Function& function, Index configurations, const VectorXd& truth,
                               std::vector<FitParameter> parameters) {
    auto problem = problem_of(function, configurations, truth, std::move(parameters));
    for (double& one : problem.observations.measured) one *= std::exp(0.03 * noise(random));
    const Predict predictions = predictions_of(function, configurations);
    points = 0;
    const auto counted = [&](const MatrixXd& at) {
      points += static_cast<std::size_t>(at.cols());
      return predictions(at);
    };
    const auto found = fit_model(counted, problem, {});
    REQUIRE(found);
    CHECK(found->converged);
    CHECK(found->reached >= 1);
  };
  INFO("WAVE_SEED=" << seed);
  const Function one = [](const VectorXd& at, Index i) { return pipeline(VectorXd{{at[0], 1e5, 10}}, i); };
  fit_counted(one, 5, VectorXd{{2e5}}, {{1e5, 0, unbounded}});
  CHECK(points <= 15);
  const Function two = [](const VectorXd& at, Index i) { return pipeline(VectorXd{{at[0], at[1], 10}}, i); };
  fit_counted(two, 6, VectorXd{{2e5, 3e5}}, {{1e5, 0, unbounded}, {1e5, 0, unbounded}});
  CHECK(points <= 150);
  fit_counted(pipeline, 16, VectorXd{{2e5, 3e5, 50}}, pipeline_parameters);
  CHECK(points <= 400);
}

TEST_CASE("a fit that is stopped has the best until then", "[model_fit]") {
  const Function line = [](const VectorXd& at, Index i) { return at[0] + at[1] * static_cast<double>(i + 1); };
  auto problem = problem_of(line, 5, VectorXd{{3, 7}}, {{1, 0, unbounded}, {1, 0, unbounded}});
  for (Index i = 0; i < 5; ++i) problem.observations.measured[i] *= i % 2 == 0 ? 1.02 : 0.98;
  const Predict predictions = predictions_of(line, 5);
  double all = 0;  // the error of what is found until the end
  for (const int most : {1000, 0, 1, 2, 3, 4, 6, 8, 12}) {
    INFO("after " << most << " calls");
    int calls = 0;
    const auto found = fit_model(
        [&](const MatrixXd& at) -> std::optional<MatrixXd> {
          if (calls++ >= most) return std::nullopt;
          return predictions(at);
        },
        problem, {});
    if (most == 1000) {
      REQUIRE(found);
      CHECK_FALSE(found->stopped);
      all = found->residuals.squaredNorm();
    } else if (most < 2) {  // a prediction and its derivatives
      CHECK_FALSE(found);
    } else {
      REQUIRE(found);
      CHECK(found->stopped);
      CHECK_FALSE(found->converged);
      CHECK(found->residuals.squaredNorm() >= all * (1 - 1e-9));
      CHECK(found->residuals.allFinite());
    }
  }
}
