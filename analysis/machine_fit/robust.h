// Robust regression: the one way in which every fit to measured times finds out which of them are wild, whatever it
// fits: a line, a mean, the formula of a collective operation, or what pairs share.
//
// It looks for the values with the least cost, where a residual counts at most as much as `most_deviations`, so that a
// wild value costs the same however far off it is. That has many minima. They are searched from the values of a few
// measurements each, of which some are without a wild one. Iterated least squares with Huber's weights alone, which GSL
// and Ceres have, start from all measurements: a wrong size far from the others would hold them for good.
#pragma once

#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/segments.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace wave::analysis::machine_fit {

// A residual counts at most as much as this many standard deviations. Beyond, a measurement is wild.
inline constexpr double most_deviations = 4;

// The cost of a fit that cannot be made.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

// How many measurements of a part of the fit, a line say, are far off what is expected of them.
struct FarOff {
  std::size_t all = 0;
  std::size_t mildly = 0;  // so little that they may be noise, or tell that the part is not quite right
  std::size_t of = 0;
  void add(double residual, double deviation, Noise noise);
};
// Where many are far off, or some of a part that are mildly so, they are not wild: there is more noise than was
// thought, or more to the times than was fitted.
bool is_noise(const std::vector<FarOff>& parts);
// By how much the deviation is made larger then.
inline constexpr double noise_growth = 3;
inline constexpr int most_growths = 30;

// Fits a formula of which nobody knows how well it describes the times: that of a collective operation, or of several
// pairs at once. `attempt` fits it with a deviation; its result has `parts()`, of FarOff, and `residuals()`, which are
// relative. At first only what is half as long again counts as wild; then what is far off the others, if that is
// little.
template <typename Attempt>
auto fit_formula(const Attempt& attempt) {
  constexpr double first_deviation = 0.1, finest = 1e-4;
  double deviation = first_deviation;
  auto best = attempt(deviation);
  for (int round = 0; round < most_growths && is_noise(best.parts()); ++round) {
    deviation *= noise_growth;
    best = attempt(deviation);
  }
  const auto& residuals = best.residuals();
  double closer = std::max(robust_deviation(residuals), finest);
  const bool all_near = std::none_of(residuals.begin(), residuals.end(),
                                     [&](double one) { return std::abs(one) > most_deviations * closer; });
  for (; !all_near && closer * noise_growth < deviation; closer *= noise_growth) {
    auto found = attempt(closer);
    if (!is_noise(found.parts())) return found;
  }
  return best;
}

// A measurement a row: what its time has of each value.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
inline constexpr int most_values = 6;

struct RobustFit {
  Eigen::VectorXd values;
  double cost = 0;       // the sum of the squared residuals, in squared deviations, each at most most_deviations^2
  std::size_t wild = 0;  // how many count so much
  bool bounded = false;  // whether a value is 0 that would be negative
};

// How badly a fit describes its measurements, for criteria that compare fits with the same deviation: minus twice the
// logarithm of the likelihood. The noise is that of the measurements that are not wild, but at least `finest`. Wild
// ones say nothing about it. If they did, two times in a hundred would hide that a second line describes the others
// better.
double misfit(double cost, std::size_t wild, std::size_t measurements, double deviation, double finest);

// What was measured: times, and what of each is known beforehand, which the design does not have.
struct Observed {
  Eigen::VectorXd times, known;
  explicit Observed(Eigen::Index count) : times(count), known(Eigen::VectorXd::Zero(count)) {}
};

// The noise is roughly known. The columns of which a bit of `nonnegative` is set have values that are not negative.
RobustFit fit_robust(const Rows& design, const Observed& observed, double deviation, Noise noise,
                     std::uint32_t nonnegative);
// As far as the least cost lies near these values.
RobustFit improve_robust(const Eigen::VectorXd& values, const Rows& design, const Observed& observed, double deviation,
                         Noise noise, std::uint32_t nonnegative);

// How far off a time is: log(time / expected), which is relative and symmetric, and large if nothing positive is
// expected, or time - expected.
double residual(double time, double expected, Noise noise);
// Of a point on a line: of what was printed.
double residual_of(const TimedSize& point, const Line& line, Noise noise);
// What a residual is relative to.
double scale_of(double time, double expected, Noise noise);

struct RobustLine {
  Line line;
  bool flat = false;  // the slope would be negative, so it is 0
  double cost = 0;
  std::size_t wild = 0;
  std::size_t inlier_sizes = 0;  // how many different sizes the points have that are not wild
};

// One line through the points begin <= i < end, which have at least two different sizes.
RobustLine fit_robust_line(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise);

}  // namespace wave::analysis::machine_fit
