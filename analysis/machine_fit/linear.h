// Weighted linear least squares, which also tell what the data leave open.
#pragma once

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

}  // namespace wave::analysis::machine_fit
