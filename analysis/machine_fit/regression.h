// Lines through noisy measurements: weighted least squares, which also tell what the data leave open; robust measures
// of spread; and lines through points some of which are outliers.
#pragma once

#include "analysis/machine_fit/segments.h"

#include <Eigen/Core>
#include <vector>

namespace wave::analysis::machine_fit {

struct LinearFit {
  Eigen::VectorXd values;
  // The covariance of `values`, divided by the variance of an observation of weight 1, as far as they are determined.
  Eigen::MatrixXd unscaled_covariance;
  double sum_of_squares = 0;  // weighted, of the residuals
  Eigen::Index rank = 0;
  // Whether the data determine the parameter, and not only some sum with others. If they only determine a sum, the
  // value is that of the shortest solution.
  std::vector<bool> determined;
};

// The values x for which `design` x is nearest to `observed`. Columns may differ by many orders of magnitude. Without
// rows, nothing is determined.
LinearFit solve_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights);

// A relative difference below this is due to rounding.
inline constexpr double finest_difference = 1e-7;

// The factor by which a standard error becomes half an interval that holds the true value with this probability (0.95),
// by Student's t. Infinite without degrees of freedom.
double interval_factor(double probability, double degrees_of_freedom);

// What a sum of that many squared standard normal values exceeds with a probability of 1 - `probability`.
double chi_squared_quantile(double probability, double degrees_of_freedom);

// The values are not empty.
double median(std::vector<double> values);

// The standard deviation of normal values, from the median of their absolute values. Up to half of them may be
// anything.
double robust_deviation(const std::vector<double>& residuals);

// A residual counts at most as much as this many standard deviations.
inline constexpr double most_deviations = 4;

struct RobustLine {
  Line line;
  bool flat = false;  // the slope would be negative, so it is 0
  // The sum of the squared residuals, in squared deviations, each at most most_deviations^2.
  double cost = 0;
  std::size_t inlier_sizes = 0;  // how many different sizes the points have that are no outliers
};

// Fits one line through the points begin <= i < end, whose noise is roughly known. They have at least two different
// sizes.
RobustLine fit_robust_line(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise);

// How far a point is off a line: log(time / line), which is relative and symmetric, and large if the line is not
// positive, or time - line.
double residual(const TimedSize& point, const Line& line, Noise noise);

// The unit in which the noise of a time near the line is measured.
double scale_of(const TimedSize& point, const Line& line, Noise noise);

}  // namespace wave::analysis::machine_fit
