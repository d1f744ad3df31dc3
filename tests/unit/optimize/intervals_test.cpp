// Intervals of reals: known minima, at constraints and at ends, and how far they are proved.
#include "analysis/optimize/optimize.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace wave::analysis;

namespace {

class Continuous final : public Problem {
 public:
  using Function = std::function<double(std::span<const double>)>;
  using Bound = std::function<BoxBounds(const Box&)>;
  Continuous(std::vector<std::pair<double, double>> intervals, Function cost, Function excess = {}, Bound bound = {})
      : cost_(std::move(cost)), excess_(std::move(excess)), bound_(std::move(bound)) {
    for (const auto& [low, high] : intervals) {
      Domain domain;
      domain.values = std::vector<double>{};
      domain.is_interval = true;
      domain.low = low;
      domain.high = high;
      domains.push_back(domain);
    }
    maximize = {false};
    constraints = excess_ ? 1 : 0;
  }
  void add_list(std::vector<std::int64_t> values) {
    Domain domain;
    domain.values = std::move(values);
    domains.push_back(domain);
  }
  void constrain(const Points& points, std::vector<Violation>& violations) override {
    violations.assign(points.size(), {});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double excess = excess_(points[i]);
      if (excess > 0) violations[i] = {1, excess};
    }
  }
  void evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) override {
    violations.assign(points.size(), {});
    goals.clear();
    for (std::size_t i = 0; i < points.size(); ++i) goals.push_back(cost_(points[i]));
  }
  std::optional<BoxBounds> bound(const Box& box) override { return bound_ ? std::optional(bound_(box)) : std::nullopt; }

 private:
  Function cost_, excess_;
  Bound bound_;
};

double square(double x) { return x * x; }

// Rosenbrock's valley, with its minimum 0 at (1, 1).
double valley(std::span<const double> x) { return 100 * square(x[1] - x[0] * x[0]) + square(1 - x[0]); }
// Rastrigin's function, with many minima, of which the least is 0 at 0.
double egg_box(std::span<const double> x) {
  double sum = 0;
  for (const double one : x) sum += 10 + one * one - 10 * std::cos(2 * M_PI * one);
  return sum;
}

SearchOptions options() {
  SearchOptions result;
  result.seconds = std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace

TEST_CASE("a minimum inside") {
  Continuous problem({{-2, 2}, {-1, 3}}, valley);
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.proof == Proof::none);
  REQUIRE(outcome.method == Method::search);
  REQUIRE(outcome.best.size() == 1);
  REQUIRE(outcome.best[0].costs[0] < 1e-8);
  REQUIRE(outcome.best[0].at[0] == Approx(1).margin(1e-3));
}

TEST_CASE("one of many minima") {
  Continuous problem({{-4.1, 5.3}, {-3.7, 4.9}}, egg_box);
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.best[0].costs[0] < 1e-8);
}

TEST_CASE("a minimum at an end is found exactly") {
  Continuous problem({{1, 5}, {2, 3}}, [](std::span<const double> x) { return x[0] - x[1]; });
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.best[0].at == std::vector<double>{1, 3});
}

TEST_CASE("a minimum at a constraint") {
  Continuous problem(
      {{0, 10}}, [](std::span<const double> x) { return -x[0]; },
      [](std::span<const double> x) { return x[0] - 7.25; });
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.best[0].at[0] <= 7.25);
  REQUIRE(outcome.best[0].at[0] == Approx(7.25).epsilon(1e-9));
}

TEST_CASE("lists and intervals together: each choice has its own best") {
  Continuous problem({{0, 10}}, [](std::span<const double> x) { return square(x[0] - (x[1] + 1)) + x[1]; });
  problem.add_list({1, 2, 3});
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.best.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(outcome.best[i].at[1] == static_cast<double>(i));
    REQUIRE(outcome.best[i].at[0] == Approx(static_cast<double>(i) + 1).margin(1e-5));
  }
}

TEST_CASE("a box that cannot be bounded, however narrow it is, leaves the proof open") {
  const auto bound = [](const Box& box) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const bool has_pole = box.low[0] <= 0 && box.high[0] >= 0;
    BoxBounds bounds;
    bounds.goals.push_back(has_pole ? wave::ir::Interval{-infinite, infinite}
                                    : wave::ir::Interval{1 / box.high[0], 1 / box.low[0]});
    return bounds;
  };
  Continuous problem({{-1, 1}}, [](std::span<const double> x) { return x[0] == 0 ? 0 : 1 / x[0]; }, {}, bound);
  auto asked = options();
  asked.method = Method::bounds;
  const auto outcome = optimize(problem, asked);
  REQUIRE(outcome.proof == Proof::none);
  REQUIRE_FALSE(outcome.lower.has_value());
}

TEST_CASE("bounds prove a minimum to within the tolerance") {
  const auto bound = [](const Box& box) {
    BoxBounds bounds;
    // x * x + y in interval arithmetic, with x on both sides of 0.
    const double x2 = box.low[0] <= 0 && box.high[0] >= 0 ? 0 : std::min(square(box.low[0]), square(box.high[0]));
    bounds.goals.push_back({x2 + box.low[1], std::max(square(box.low[0]), square(box.high[0])) + box.high[1]});
    return bounds;
  };
  Continuous problem({{-3, 4}, {1, 2}}, [](std::span<const double> x) { return x[0] * x[0] + x[1]; }, {}, bound);
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.method == Method::bounds);
  REQUIRE((outcome.proof == Proof::within_tolerance || outcome.proof == Proof::bounds));
  REQUIRE(outcome.best[0].costs[0] == Approx(1).epsilon(1e-6));
  REQUIRE(outcome.lower.value_or(1) >= 1 - 1e-5);
}

TEST_CASE("nothing satisfies the constraint") {
  Continuous problem(
      {{0, 1}}, [](std::span<const double> x) { return x[0]; }, [](std::span<const double> x) { return 2 - x[0]; });
  const auto outcome = optimize(problem, options());
  REQUIRE(outcome.best.empty());
  REQUIRE(outcome.nearest.has_value());
  REQUIRE(outcome.exclusion.alone() == std::vector<std::size_t>{0});
}
