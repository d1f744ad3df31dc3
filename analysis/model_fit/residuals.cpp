// See residuals.h.
#include "analysis/model_fit/residuals.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd Observations::residuals(const VectorXd& predicted) const {
  if (!relative) return predicted - measured;
  VectorXd result(predicted.size());
  for (Index i = 0; i < predicted.size(); ++i)
    result[i] = predicted[i] > 0 ? std::log(predicted[i] / measured[i]) : nothing;
  return result;
}

MatrixXd Observations::jacobian(const VectorXd& predicted, const MatrixXd& slopes) const {
  if (!relative) return slopes;
  MatrixXd result = slopes;
  for (Index i = 0; i < result.rows(); ++i) result.row(i) /= predicted[i];
  return result;
}

double size_of(const Box& box, const VectorXd& at, Index parameter) {
  // A value smaller than this part of its scale is varied as if it were that large.
  constexpr double smallest_part = 1e-3;
  return std::max(std::abs(at[parameter]), smallest_part * box.scale[parameter]);
}

VectorXd Residuals::weighted(const VectorXd& predicted) const {
  const VectorXd residuals = observations_.residuals(predicted);
  VectorXd result(residuals.size());
  for (Index i = 0; i < residuals.size(); ++i) result[i] = weights_[i] == 0 ? 0 : root_weights_[i] * residuals[i];
  return result;
}

double Residuals::cost(const VectorXd& predicted) const {
  const double cost = weighted(predicted).squaredNorm();
  return std::isfinite(cost) ? cost : std::numeric_limits<double>::infinity();
}

bool Residuals::is_exact(double cost, double precision) const {
  const double all = observations_.relative ? 1 : observations_.measured.cwiseAbs().maxCoeff();
  return std::sqrt(cost) <= precision * root_weights_.norm() * all;
}

void Residuals::set(Minimum& minimum, const VectorXd& at, const VectorXd& predicted) const {
  minimum.at = at;
  minimum.predicted = predicted;
  minimum.residuals = observations_.residuals(predicted);
  minimum.cost = cost(predicted);
}

bool is_held(const Box& box, const VectorXd& at, Index parameter, double slope) {
  return (at[parameter] <= box.lower[parameter] && slope > 0) || (at[parameter] >= box.upper[parameter] && slope < 0);
}

// Looks for the largest cosine between the residuals and the change that a parameter makes in them, over all parameters
// that are free to move.
bool Residuals::is_smooth(const Minimum& minimum, const Box& box) const {
  constexpr double edge = 1e-3;
  // Residuals that are only due to rounding have no direction.
  if (is_exact(minimum.cost, nearly_exact)) return true;
  const VectorXd residuals = weighted(minimum.predicted);
  for (Index j = 0; j < minimum.at.size(); ++j) {
    const VectorXd column = root_weights_.cwiseProduct(minimum.jacobian.col(j));
    const double slope = column.dot(residuals);
    if (is_held(box, minimum.at, j, slope)) continue;
    if (std::abs(slope) > edge * column.norm() * residuals.norm()) return false;
  }
  return true;
}

}  // namespace wave::analysis::model_fit
