// See regression.h.
#include "analysis/machine_fit/regression.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <Eigen/SVD>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wave::analysis::machine_fit {

LinearFit solve_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights) {
  const Eigen::Index unknowns = design.cols();
  // Eigen has no decomposition of an empty matrix.
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
    // A parameter is determined if its unit vector lies in the space of the rows.
    fit.determined.push_back(basis.row(i).squaredNorm() > 1 - 1e-8);
    fit.values[i] /= lengths[i];
    fit.unscaled_covariance.row(i) /= lengths[i];
    fit.unscaled_covariance.col(i) /= lengths[i];
  }
  return fit;
}

LinearFit solve_bounded(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights,
                        std::uint32_t nonnegative) {
  if (design.rows() == 0) return solve_linear(design, observed, weights);
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  Eigen::MatrixXd free = design;
  std::uint32_t left_out = 0;
  LinearFit fit;
  for (Eigen::Index round = 0; round <= design.cols(); ++round) {
    fit = solve_linear(free, observed, weights);
    Eigen::Index worst = -1;
    double least = -finest_difference;
    for (Eigen::Index i = 0; i < design.cols(); ++i) {
      const double part = fit.values[i] * roots.cwiseProduct(free.col(i)).cwiseAbs().maxCoeff();
      if ((nonnegative >> i & 1U) == 0 || part >= least) continue;
      least = part;
      worst = i;
    }
    if (worst < 0) break;
    left_out |= 1U << worst;
    free.col(worst).setZero();
  }
  for (Eigen::Index i = 0; i < design.cols(); ++i) {
    if ((left_out >> i & 1U) != 0) fit.determined[static_cast<std::size_t>(i)] = true;
    if ((nonnegative >> i & 1U) != 0) fit.values[i] = std::max(fit.values[i], 0.0);
  }
  fit.rank += std::popcount(left_out);
  return fit;
}

double interval_factor(double probability, double degrees_of_freedom) {
  if (!(degrees_of_freedom > 0)) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), 0.5 + probability / 2);
}

double chi_squared_quantile(double probability, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::chi_squared(degrees_of_freedom), probability);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double robust_deviation(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  sizes.reserve(residuals.size());
  for (const double r : residuals) sizes.push_back(std::abs(r));
  return 1.482602218505602 * median(std::move(sizes));  // 1 / the third quartile of the standard normal distribution
}

}  // namespace wave::analysis::machine_fit
