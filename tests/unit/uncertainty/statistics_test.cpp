// Means, spreads, quantiles, and the parts of a variance.
#include "analysis/uncertainty/draws.h"
#include "analysis/uncertainty/propagation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

using namespace wave::analysis;

namespace {

std::vector<std::vector<double>> columns(std::size_t inputs, std::size_t samples, std::uint64_t seed) {
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < inputs; ++i) all.push_back(draw_normals(seed, "input " + std::to_string(i), samples));
  return all;
}

template <class Function>
std::vector<double> values_of(const std::vector<std::vector<double>>& inputs, const Function& function) {
  std::vector<double> values;
  for (std::size_t row = 0; row < inputs.front().size(); ++row) {
    std::vector<double> point;
    for (const auto& column : inputs) point.push_back(column[row]);
    values.push_back(function(point));
  }
  return values;
}

}  // namespace

TEST_CASE("the summary of a few values is that of the textbook") {
  const std::vector<double> values{4, 2, 8, 6};
  const Summary summary = summarize(values);
  CHECK(summary.mean == 5);
  CHECK(summary.deviation == Approx(std::sqrt(20.0 / 3)).epsilon(1e-15));
  CHECK(summary.low == 2);
  CHECK(summary.high == 8);
}

TEST_CASE("values that are all the same have that mean and no spread") {
  const std::vector<double> values(7, 0.1);
  const Summary summary = summarize(values);
  CHECK(summary.mean == 0.1);
  CHECK(summary.deviation == 0);
  CHECK(summary.low == 0.1);
  CHECK(summary.high == 0.1);
}

TEST_CASE("the i-th of n sorted values stands for (i - 1/2) / n") {
  std::vector<double> sorted(100);
  std::iota(sorted.begin(), sorted.end(), 1.0);
  CHECK(quantile(sorted, 0.005) == 1);
  CHECK(quantile(sorted, 0.5) == 50.5);
  CHECK(quantile(sorted, 0.975) == Approx(98));
  CHECK(quantile(sorted, 0.001) == 1);
  CHECK(quantile(sorted, 0.999) == 100);
}

TEST_CASE("the parts of a straight line are its slopes squared, exactly") {
  const auto inputs = columns(3, 200, 11);
  const auto values = values_of(inputs, [](const auto& x) { return 1e12 + 3 * x[0] - 4 * x[1] + 0 * x[2]; });
  const auto parts = first_order_parts(inputs, values);
  REQUIRE(parts.size() == 3);
  // The columns of a hypercube correlate a little, so the variance is not exactly 9 + 16.
  const double whole = parts[0] + parts[1];
  CHECK(parts[0] / whole == Approx(9.0 / 25).epsilon(0.01));
  CHECK(parts[1] / whole == Approx(16.0 / 25).epsilon(0.01));
  CHECK(parts[2] < 1e-9);
  CHECK(whole == Approx(1).margin(0.2));
}

TEST_CASE("what is not straight counts for its input, too") {
  const auto inputs = columns(2, 20000, 5);
  SECTION("a square: all of the variance is its input's, though a line sees none of it") {
    const auto parts = first_order_parts(inputs, values_of(inputs, [](const auto& x) { return x[0] * x[0]; }));
    CHECK(parts[0] == Approx(1).margin(0.1));
    CHECK(parts[1] < 0.01);
  }
  SECTION("a step and a line") {
    // The variances are 1/4 * 16 and 4, so each part is a half.
    const auto parts =
        first_order_parts(inputs, values_of(inputs, [](const auto& x) { return (x[0] > 0 ? 4 : 0) + 2 * x[1]; }));
    CHECK(parts[0] == Approx(0.5).margin(0.03));
    CHECK(parts[1] == Approx(0.5).margin(0.03));
  }
  SECTION("a product: neither by itself says anything") {
    const auto parts = first_order_parts(inputs, values_of(inputs, [](const auto& x) { return x[0] * x[1]; }));
    CHECK(parts[0] < 0.02);
    CHECK(parts[1] < 0.02);
  }
}

TEST_CASE("too few samples, or nothing that varies, give no parts") {
  const auto few = columns(2, 10, 1);
  CHECK(first_order_parts(few, few[0]).empty());
  const auto enough = columns(2, enough_samples(2), 1);
  CHECK_FALSE(first_order_parts(enough, enough[0]).empty());
  CHECK(first_order_parts(enough, std::vector<double>(enough[0].size(), 3.5)).empty());
  CHECK(first_order_parts({}, enough[0]).empty());
}
