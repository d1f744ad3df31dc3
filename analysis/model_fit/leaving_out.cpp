// See leaving_out.h.
#include "analysis/model_fit/leaving_out.h"

#include "analysis/model_fit/open_combinations.h"

#include <Eigen/SVD>
#include <cmath>
#include <set>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// At most so many fits are made. With more configurations, derivatives answer.
constexpr Index most_refits = 100;

// The part of the residual of a configuration that the others do not see. 0 if the configuration alone determines
// something.
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

// The prediction that has this residual, which is ln(prediction / measurement) or prediction - measurement.
double prediction_of(const Observations& observations, Index configuration, double residual) {
  const double measured = observations.measured[configuration];
  return observations.relative ? measured * std::exp(residual) : measured + residual;
}

class Refits {
 public:
  Refits(MinimumSearch& search, const Found& found, const VectorXd& weights)
      : search_(search), found_(found), weights_(weights), model_(found.tangents) {}

  // Without each of these configurations.
  void make(const std::vector<Index>& configurations, LeftOut& result) {
    std::vector<Minimum> fits;
    for (const Index i : configurations) fits.push_back(by_tangents(i));
    bool are_known = true;
    for (const std::size_t k : furthest(fits)) are_known = are_known && is_known(fits[k]);
    for (std::size_t k = 0; k < fits.size() && !search_.is_stopped(); ++k) {
      const Index i = configurations[k];
      result.predicted[i] = are_known ? fits[k].predicted[i] : by_search(i).predicted[i];
    }
  }

 private:
  VectorXd without(Index configuration) const {
    VectorXd others = weights_;
    others[configuration] = 0;
    return others;
  }
  Minimum by_tangents(Index configuration) const {
    return descend(model_.predictions(), search_.observations(), search_.box(),
                   {{found_.minimum.at, without(configuration)}})
        .front();
  }
  Minimum by_search(Index configuration) {
    Known known;
    known.tangents = &found_.tangents;
    known.trial = Known::Trial::none;
    return search_.find({found_.minimum.at, without(configuration)}, known).minimum;
  }
  // Those with the least and the largest value of a parameter.
  std::set<std::size_t> furthest(const std::vector<Minimum>& fits) const {
    std::set<std::size_t> result;
    for (Index j = 0; j < found_.minimum.at.size(); ++j) {
      std::size_t least = 0, largest = 0;
      for (std::size_t k = 0; k < fits.size(); ++k) {
        if (fits[k].at[j] < fits[least].at[j]) least = k;
        if (fits[k].at[j] > fits[largest].at[j]) largest = k;
      }
      result.insert({least, largest});
    }
    return result;
  }
  bool is_known(const Minimum& fit) {
    const auto predicted = search_.predict(fit.at);
    return predicted && is_same(predicted->col(0), fit.predicted, VectorXd::Ones(weights_.size()),
                                distance(search_.box(), found_.minimum.at, fit.at));
  }

  MinimumSearch& search_;
  const Found& found_;
  const VectorXd& weights_;
  const TangentModel model_;
};

}  // namespace

LeftOut leave_out(MinimumSearch& search, const Found& found, const VectorXd& weights, const std::vector<bool>& free) {
  const Minimum& minimum = found.minimum;
  const Observations& observations = search.observations();
  const Index configurations = observations.measured.size();
  LeftOut result;
  result.predicted = VectorXd::Constant(configurations, nothing);
  result.refitted = configurations <= most_refits && minimum.converged;
  const VectorXd rest = independence(minimum.jacobian, weights, free);
  std::vector<Index> others;
  for (Index i = 0; i < configurations; ++i) {
    constexpr double alone = 1e-9;
    if (rest[i] <= alone)
      result.indispensable.push_back(static_cast<std::size_t>(i));
    else if (result.refitted)
      others.push_back(i);
    else  // exact for linear models (Allen 1974)
      result.predicted[i] = prediction_of(observations, i, minimum.residuals[i] / (weights[i] > 0 ? rest[i] : 1));
  }
  if (!others.empty() && !search.is_stopped()) Refits(search, found, weights).make(others, result);
  return result;
}

}  // namespace wave::analysis::model_fit
