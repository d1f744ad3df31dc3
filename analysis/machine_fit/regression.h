// Lines through noisy measurements: weighted least squares, which also tell what the data leave open, robust measures
// of spread, and a line through points of which some are outliers.
#pragma once

#include "analysis/machine_fit/segments.h"

#include <Eigen/Core>
#include <vector>

namespace wave::analysis::machine_fit {

struct LinearFit {
  Eigen::VectorXd values;
  // Times the variance of an observation of weight 1: the covariance of `values`. Of what is determined.
  Eigen::MatrixXd unscaled_covariance;
  double sum_of_squares = 0;  // weighted, of the residuals
  Eigen::Index rank = 0;
  // Whether the data determine the parameter, or only some sum with others. If only a sum, the value is that of the
  // shortest solution.
  std::vector<bool> determined;
};

// The values x for which `design` x is nearest to `observed`. Columns may differ by many orders of magnitude. No rows
// determine nothing.
LinearFit solve_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights);

// The few quantiles and robust measures that fits need.

// Below this a relative difference is that of rounding.
inline constexpr double finest_difference = 1e-7;

// What a standard error is multiplied by for an interval that holds the truth with this probability (0.95), by
// Student's t. Infinite for no degrees of freedom.
double interval_factor(double probability, double degrees_of_freedom);

// What a sum of that many squared standard normal values exceeds with a probability of 1 - `probability`.
double chi_squared_quantile(double probability, double degrees_of_freedom);

// Not of nothing.
double median(std::vector<double> values);

// The standard deviation of normal values, from the median of their absolute values: half of them may be anything.
double robust_deviation(const std::vector<double>& residuals);

// Fits one line through points whose noise is roughly known.

// A residual counts no more than this many standard deviations.
inline constexpr double most_deviations = 4;

struct RobustLine {
  Line line;
  bool flat = false;  // the slope would be negative, so it is 0
  // Squared residuals, in squared deviations, each at most most_deviations^2.
  double cost = 0;
  std::size_t inlier_sizes = 0;  // different sizes among what is not an outlier
};

// Of the points begin <= i < end, which have at least two different sizes.
RobustLine fit_robust_line(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise);

// By how much a point is off a line: log(time / line), which is relative and symmetric, and large where the line is not
// positive; or time - line.
double residual(const TimedSize& point, const Line& line, Noise noise);

// The unit of the noise of a time near the line.
double scale_of(const TimedSize& point, const Line& line, Noise noise);

}  // namespace wave::analysis::machine_fit
