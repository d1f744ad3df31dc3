// See statistics.h.
#include "analysis/uncertainty/statistics.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace wave::analysis {

namespace {

// As differences to the first, so that values which are all the same have that mean and no deviation.
double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value - values[0];
  return values[0] + sum / static_cast<double>(values.size());
}

// Divided by n.
double variance_of(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

constexpr std::size_t most_intervals = 200, samples_an_interval = 20;

// The variance of the means of `values` over intervals of `input`, less what means of so few values vary by themselves.
double variance_between(const std::vector<double>& input, const Eigen::VectorXd& values) {
  const std::size_t n = input.size();
  const std::size_t intervals = std::min(most_intervals, n / samples_an_interval);
  if (intervals < 2) return 0;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return input[a] < input[b]; });
  double between = 0, by_chance = 0;
  for (std::size_t k = 0; k < intervals; ++k) {
    const std::size_t begin = n * k / intervals, end = n * (k + 1) / intervals;
    const double count = static_cast<double>(end - begin);
    double sum = 0, squares = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[static_cast<Eigen::Index>(order[i])];
    for (std::size_t i = begin; i < end; ++i)
      squares += std::pow(values[static_cast<Eigen::Index>(order[i])] - sum / count, 2);
    between += sum / count * sum;  // the values have no mean: least squares have taken it
    by_chance += squares / (count - 1);
  }
  return std::max(0.0, (between - by_chance) / static_cast<double>(n));
}

}  // namespace

double quantile(std::span<const double> sorted, double part) {
  const double place = part * static_cast<double>(sorted.size()) - 0.5;
  if (place <= 0) return sorted.front();
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double beyond = place - static_cast<double>(below);
  return beyond == 0 ? sorted[below] : sorted[below] + (sorted[below + 1] - sorted[below]) * beyond;
}

Summary summarize(std::span<const double> values) {
  Summary summary;
  const double n = static_cast<double>(values.size());
  summary.mean = mean_of(values);
  summary.deviation = std::sqrt(variance_of(values, summary.mean) * n / (n - 1));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  summary.low = quantile(sorted, 0.025);
  summary.high = quantile(sorted, 0.975);
  return summary;
}

std::vector<double> first_order_parts(const std::vector<std::vector<double>>& inputs, std::span<const double> values) {
  if (inputs.empty() || values.size() < enough_samples(inputs.size())) return {};
  const double mean = mean_of(values);
  const double variance = variance_of(values, mean);
  // What rounding makes of a constant is no variance.
  if (!(std::sqrt(variance) > 1e-13 * std::fabs(mean))) return {};
  const auto n = static_cast<Eigen::Index>(values.size()), k = static_cast<Eigen::Index>(inputs.size());
  Eigen::MatrixXd matrix(n, k + 1);
  Eigen::VectorXd right(n);
  matrix.col(k).setOnes();
  for (Eigen::Index i = 0; i < k; ++i) {
    matrix.col(i) = Eigen::Map<const Eigen::VectorXd>(inputs[static_cast<std::size_t>(i)].data(), n);
  }
  // Of size 1, whatever the unit.
  const double scale = std::sqrt(variance);
  for (Eigen::Index i = 0; i < n; ++i) right[i] = (values[static_cast<std::size_t>(i)] - mean) / scale;
  const Eigen::VectorXd slopes = matrix.colPivHouseholderQr().solve(right);
  const Eigen::VectorXd left = right - matrix * slopes;
  const bool is_straight = left.squaredNorm() < 1e-20 * right.squaredNorm();
  std::vector<double> parts;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double slope = slopes[static_cast<Eigen::Index>(i)];
    const double line = slope * slope * variance_of(inputs[i], mean_of(inputs[i]));
    parts.push_back(std::min(1.0, line + (is_straight ? 0 : variance_between(inputs[i], left))));
  }
  return parts;
}

}  // namespace wave::analysis
