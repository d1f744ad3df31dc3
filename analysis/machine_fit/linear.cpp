// See linear.h.
#include "analysis/machine_fit/linear.h"

#include <Eigen/SVD>

namespace wave::analysis::machine_fit {

LinearFit solve_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights) {
  const Eigen::Index unknowns = design.cols();
  // Eigen has no decomposition of nothing.
  if (design.rows() == 0 || unknowns == 0) {
    return {Eigen::VectorXd::Zero(unknowns), Eigen::MatrixXd::Zero(unknowns, unknowns),
            observed.cwiseAbs2().dot(weights), 0, std::vector<bool>(static_cast<std::size_t>(unknowns), false)};
  }
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  Eigen::MatrixXd scaled = roots.asDiagonal() * design;
  // Columns of length 1, so that seconds beside bytes do not look like a missing rank.
  Eigen::VectorXd lengths(unknowns);
  for (Eigen::Index column = 0; column < unknowns; ++column) {
    const double length = scaled.col(column).norm();
    lengths[column] = length > 0 ? length : 1;
    scaled.col(column) /= lengths[column];
  }
  const Eigen::VectorXd target = roots.asDiagonal() * observed;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-10);

  LinearFit fit;
  fit.rank = svd.rank();
  fit.values = svd.solve(target);
  fit.sum_of_squares = (scaled * fit.values - target).squaredNorm();
  const auto basis = svd.matrixV().leftCols(fit.rank);
  const Eigen::VectorXd inverse = svd.singularValues().head(fit.rank).cwiseInverse();
  const Eigen::MatrixXd root = basis * inverse.asDiagonal();
  fit.unscaled_covariance = root * root.transpose();
  for (Eigen::Index i = 0; i < unknowns; ++i) {
    // Determined where the unit vector lies in the space of the rows.
    fit.determined.push_back(basis.row(i).squaredNorm() > 1 - 1e-8);
    fit.values[i] /= lengths[i];
    fit.unscaled_covariance.row(i) /= lengths[i];
    fit.unscaled_covariance.col(i) /= lengths[i];
  }
  return fit;
}

}  // namespace wave::analysis::machine_fit
