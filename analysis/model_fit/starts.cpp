// See starts.h.
#include "analysis/model_fit/starts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double decades = 2;  // to either side of the usual value
constexpr int smallest_exponent = -12, largest_exponent = 24;

// The point number `index` of Halton's sequence in a base: evenly spread, whatever their number.
double halton(int index, int base) {
  double result = 0, part = 1;
  for (; index > 0; index /= base) {
    part /= base;
    result += part * (index % base);
  }
  return result;
}

// Small primes, one after the other.
int prime(int index) {
  int candidate = 2;
  for (;; ++candidate) {
    bool is_prime = true;
    for (int d = 2; d * d <= candidate; ++d) is_prime = is_prime && candidate % d != 0;
    if (is_prime && index-- == 0) return candidate;
  }
}

double spread(const FitParameter& one, double scale, double u) {
  const bool bounded = std::isfinite(one.lower) && std::isfinite(one.upper);
  if (bounded && one.lower > 0) return one.lower * std::pow(one.upper / one.lower, u);
  if (bounded && one.start == 0) return one.lower + u * (one.upper - one.lower);
  const double size = one.start == 0 ? scale : one.start;
  return std::clamp(size * std::pow(10, decades * (2 * u - 1)), one.lower, one.upper);
}

}  // namespace

std::optional<Box> find_box(const Predict& predict, const FitProblem& problem) {
  const auto parameters = static_cast<Index>(problem.parameters.size());
  Box box{VectorXd(parameters), VectorXd(parameters), VectorXd(parameters)};
  VectorXd start(parameters);
  std::vector<Index> unknown;
  for (Index j = 0; j < parameters; ++j) {
    const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
    box.lower[j] = one.lower;
    box.upper[j] = one.upper;
    start[j] = std::clamp(one.start, one.lower, one.upper);
    box.scale[j] = std::abs(start[j]);
    if (std::isfinite(one.lower) && std::isfinite(one.upper))
      box.scale[j] = std::max(box.scale[j], (one.upper - one.lower) / 4);
    if (box.scale[j] == 0) unknown.push_back(j);
  }
  if (unknown.empty()) return box;
  constexpr int tried = largest_exponent - smallest_exponent + 1;
  MatrixXd points = start.replicate(1, 1 + tried * static_cast<Index>(unknown.size()));
  Index column = 1;
  for (const Index j : unknown) {
    const double sign = problem.parameters[static_cast<std::size_t>(j)].upper > 0 ? 1 : -1;
    for (int k = 0; k < tried; ++k) points(j, column++) = sign * std::pow(10, smallest_exponent + k);
  }
  const auto predicted = predict(points);
  if (!predicted) return std::nullopt;
  column = 1;
  for (const Index j : unknown) {
    box.scale[j] = 1;
    // From above: the largest that is not more than all there was.
    for (int k = 0; k < tried; ++k, ++column) {
      const VectorXd change =
          (predicted->col(column) - predicted->col(0)).cwiseQuotient(problem.observations.measured).cwiseAbs();
      if (change.allFinite() && change.maxCoeff() <= 1 && change.maxCoeff() > 0)
        box.scale[j] = std::pow(10, smallest_exponent + k);
    }
  }
  return box;
}

std::vector<VectorXd> choose_starts(const FitProblem& problem, const Box& box, int count) {
  const auto parameters = static_cast<Index>(problem.parameters.size());
  std::vector<VectorXd> result;
  for (int k = 0; k < count; ++k) {
    VectorXd at(parameters);
    for (Index j = 0; j < parameters; ++j) {
      const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
      at[j] = k == 0 ? std::clamp(one.start, one.lower, one.upper)
                     : spread(one, box.scale[j], halton(k, prime(static_cast<int>(j))));
    }
    result.push_back(std::move(at));
  }
  return result;
}

}  // namespace wave::analysis::model_fit
