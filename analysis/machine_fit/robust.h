// Robust regression: the one way in which every fit to measured times finds out which of them are wild, whatever it
// fits: a line, a mean, the formula of a collective operation, or what pairs share.
//
// It looks for the values with the least cost, where a residual counts at most as much as `most_deviations`, so that a
// wild value costs the same however far off it is. That has many minima. They are searched from the values of a few
// measurements each, of which some are without a wild one. Iterated least squares with Huber's weights alone, which GSL
// and Ceres have, start from all measurements: a wrong size far from the others would hold them for good.
#pragma once

#include "analysis/machine_fit/segments.h"

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wave::analysis::machine_fit {

// A residual counts at most as much as this many standard deviations. Beyond, a measurement is wild.
inline constexpr double most_deviations = 4;
// If more than this share of the measurements would be wild, it is the noise, or the formula, that is not right.
inline bool are_too_many_wild(std::size_t wild, std::size_t measurements) {
  return wild > 2 && static_cast<double>(wild) > 0.2 * static_cast<double>(measurements);
}

// A measurement a row: what its time has of each value.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
inline constexpr int most_values = 6;

struct RobustFit {
  Eigen::VectorXd values;
  double cost = 0;       // the sum of the squared residuals, in squared deviations, each at most most_deviations^2
  bool bounded = false;  // whether a value is 0 that would be negative
};

// The noise is roughly known. The columns of which a bit of `nonnegative` is set have values that are not negative.
RobustFit fit_robust(const Rows& design, const Eigen::VectorXd& times, double deviation, Noise noise,
                     std::uint32_t nonnegative);

// How far off a time is: log(time / expected), which is relative and symmetric, and large if nothing positive is
// expected, or time - expected.
double residual(double time, double expected, Noise noise);
// What a residual is relative to.
double scale_of(double time, double expected, Noise noise);

struct RobustLine {
  Line line;
  bool flat = false;  // the slope would be negative, so it is 0
  double cost = 0;
  std::size_t inlier_sizes = 0;  // how many different sizes the points have that are not wild
};

// One line through the points begin <= i < end, which have at least two different sizes.
RobustLine fit_robust_line(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise);

}  // namespace wave::analysis::machine_fit
