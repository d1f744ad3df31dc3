// Weighted least squares, which also tell what the data leave open, quantiles, and robust measures of spread.
#pragma once

#include <Eigen/Core>
#include <cstdint>
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

// As `solve_linear`, where the values of which a bit of `nonnegative` is set are not negative: those that would be are
// 0, the most negative one first, without an error, and count as determined. Noise below `finest_difference` is none.
LinearFit solve_bounded(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights,
                        std::uint32_t nonnegative);

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

}  // namespace wave::analysis::machine_fit
