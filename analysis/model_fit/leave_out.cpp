// Leave-one-out predictions. See model_fit.h.
#include "analysis/model_fit/model_fit.h"

#include <Eigen/SVD>
#include <cmath>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// As many refits go side by side, each with predictions of all configurations at many points.
constexpr Index most_refits = 100;

// How much of a configuration's residual the others do not see: 0 where it alone determines something.
VectorXd independence(const MatrixXd& jacobian, const VectorXd& weights, const std::vector<bool>& free) {
  MatrixXd columns(jacobian.rows(), 0);
  for (std::size_t p = 0; p < free.size(); ++p) {
    const VectorXd column = weights.cwiseSqrt().cwiseProduct(jacobian.col(static_cast<Index>(p)));
    const double length = column.norm();
    if (!free[p] || !(length > 0)) continue;
    columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
    columns.rightCols(1) = column / length;
  }
  VectorXd result = VectorXd::Ones(jacobian.rows());
  if (columns.cols() == 0) return result;
  const Eigen::JacobiSVD<MatrixXd> svd(columns, Eigen::ComputeThinU);
  for (Index k = 0; k < svd.singularValues().size(); ++k) {
    if (svd.singularValues()[k] <= no_independence * svd.singularValues()[0]) continue;
    result -= svd.matrixU().col(k).cwiseAbs2();
  }
  return result;
}

// ln(prediction / measurement) or prediction - measurement, undone.
double prediction_of(const Observations& observations, Index configuration, double residual) {
  const double measured = observations.measured[configuration];
  return observations.relative ? measured * std::exp(residual) : measured + residual;
}

}  // namespace

std::optional<LeftOut> leave_out(const Predict& predict, const Observations& observations, const Box& box,
                                 const Minimum& minimum, const VectorXd& weights, const std::vector<bool>& free) {
  const Index configurations = observations.measured.size();
  LeftOut result;
  result.predicted = VectorXd::Constant(configurations, nothing);
  result.refitted = configurations <= most_refits;
  const VectorXd rest = independence(minimum.jacobian, weights, free);
  std::vector<Start> starts;
  std::vector<Index> which;
  for (Index i = 0; i < configurations; ++i) {
    constexpr double alone = 1e-9;
    if (rest[i] <= alone) {
      result.indispensable.push_back(static_cast<std::size_t>(i));
    } else if (!result.refitted) {
      // Exact for linear models (Allen 1974).
      result.predicted[i] = prediction_of(observations, i, minimum.residuals[i] / (weights[i] > 0 ? rest[i] : 1));
    } else {
      VectorXd others = weights;
      others[i] = 0;
      starts.push_back({minimum.at, others});
      which.push_back(i);
    }
  }
  if (starts.empty()) return result;
  const auto fits = descend(predict, observations, box, starts);
  if (!fits) return std::nullopt;
  for (std::size_t k = 0; k < fits->size(); ++k) result.predicted[which[k]] = (*fits)[k].predicted[which[k]];
  return result;
}

}  // namespace wave::analysis::model_fit
