// See open_combinations.h.
#include "analysis/model_fit/open_combinations.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Derivatives are differences, good to some nine digits.
constexpr double no_influence = 1e-9;
constexpr double takes_part = 1e-3;

// Vectors that span the same space as the columns, with as few entries as possible: the echelon form.
MatrixXd sparse_basis(MatrixXd basis) {
  for (Index done = 0; done < basis.cols(); ++done) {
    Index row = 0, column = 0;
    basis.rightCols(basis.cols() - done).cwiseAbs().maxCoeff(&row, &column);
    basis.col(done).swap(basis.col(done + column));
    basis.col(done) /= basis(row, done);
    for (Index other = 0; other < basis.cols(); ++other) {
      if (other != done) basis.col(other) -= basis(row, other) * basis.col(done);
    }
  }
  return basis;
}

// Whether the residuals stay the same at that point.
bool same_residuals(const Observations& observations, const Minimum& minimum, const VectorXd& predicted,
                    const VectorXd& weights, double allowed) {
  const VectorXd there = observations.residuals(predicted);
  double largest = 0;
  for (Index i = 0; i < there.size(); ++i) {
    if (weights[i] == 0) continue;
    if (!std::isfinite(there[i])) return false;
    largest = std::max(largest, std::abs(there[i] - minimum.residuals[i]));
  }
  return largest <= allowed;
}

// How far the first parameter goes so that none changes by more than a fifth.
double reach_of(const OpenCombination& one, const Box& box, const VectorXd& at) {
  double reach = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < one.parameters.size(); ++k) {
    const auto j = static_cast<Index>(one.parameters[k]);
    const double size = size_of(box, at, j);
    reach = std::min(reach, 0.2 * size / std::abs(one.direction[k]));
  }
  return reach;
}

// Finds whether a sum or a product is determined, by going far along both.
void find_kind(MinimumSearch& search, const Minimum& minimum, const VectorXd& weights, const MatrixXd& jacobian,
               OpenCombination& one) {
  const Observations& observations = search.observations();
  const auto count = static_cast<Index>(one.parameters.size());
  MatrixXd columns(jacobian.rows(), count);
  VectorXd lengths(count);
  for (Index k = 0; k < count; ++k) {
    columns.col(k) = jacobian.col(static_cast<Index>(one.parameters[static_cast<std::size_t>(k)]));
    lengths[k] = columns.col(k).norm();
    columns.col(k) /= lengths[k];
  }
  const Eigen::JacobiSVD<MatrixXd> svd(columns, Eigen::ComputeThinV);
  const auto& values = svd.singularValues();
  if (values.size() > 1 && values[1] > 10 * no_independence * values[0]) return;
  VectorXd slopes = svd.matrixV().col(0).cwiseProduct(lengths);
  if (slopes[0] < 0) slopes = -slopes;
  const double reach = reach_of(one, search.box(), minimum.at);
  MatrixXd points = minimum.at.replicate(1, 2);
  bool signs_agree = true;
  for (Index k = 0; k < count; ++k) {
    const auto j = static_cast<Index>(one.parameters[static_cast<std::size_t>(k)]);
    const double change = reach * one.direction[static_cast<std::size_t>(k)];
    points(j, 0) += change;
    if (minimum.at[j] == 0)
      signs_agree = false;
    else
      points(j, 1) = minimum.at[j] * std::exp(change / minimum.at[j]);
  }
  const auto predicted = search.predict(points);
  if (!predicted) return;
  const double all = observations.relative ? 1 : observations.measured.cwiseAbs().maxCoeff();
  const double allowed = 1e-7 * all;
  using Kind = OpenCombination::Kind;
  if (same_residuals(observations, minimum, predicted->col(0), weights, allowed)) {
    one.kind = Kind::sum;
  } else if (signs_agree && same_residuals(observations, minimum, predicted->col(1), weights, allowed)) {
    one.kind = Kind::product;
    for (Index k = 0; k < count; ++k)
      slopes[k] *= minimum.at[static_cast<Index>(one.parameters[static_cast<std::size_t>(k)])];
  } else {
    one.kind = Kind::near_here;
  }
  const double smallest = slopes.cwiseAbs().minCoeff();
  one.factors.resize(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k)
    one.factors[static_cast<std::size_t>(k)] = slopes[k] / (slopes[0] < 0 ? -smallest : smallest);
}

}  // namespace

Leeway find_leeway(MinimumSearch& search, const Minimum& minimum, const VectorXd& weights,
                   const std::vector<bool>& free) {
  const Observations& observations = search.observations();
  const auto parameters = static_cast<std::size_t>(minimum.at.size());
  Leeway result;
  result.matters.assign(parameters, false);
  result.is_open.assign(parameters, false);
  result.covariance = MatrixXd::Zero(minimum.at.size(), minimum.at.size());
  const MatrixXd jacobian = weights.cwiseSqrt().asDiagonal() * minimum.jacobian;
  const double all =
      weights.cwiseSqrt().norm() * (observations.relative ? 1 : observations.measured.cwiseAbs().maxCoeff());
  std::vector<Index> used;
  for (std::size_t p = 0; p < parameters; ++p) {
    const auto j = static_cast<Index>(p);
    const double size = size_of(search.box(), minimum.at, j);
    result.matters[p] = jacobian.col(j).norm() * size > no_influence * all;
    if (result.matters[p] && free[p]) used.push_back(j);
  }
  const auto count = static_cast<Index>(used.size());
  if (count == 0) return result;
  MatrixXd scaled(jacobian.rows(), count);
  VectorXd lengths(count);
  for (Index k = 0; k < count; ++k) {
    scaled.col(k) = jacobian.col(used[static_cast<std::size_t>(k)]);
    lengths[k] = scaled.col(k).norm();
    scaled.col(k) /= lengths[k];
  }
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeFullV);
  const VectorXd values = svd.singularValues();
  while (result.rank < values.size() && values[result.rank] > no_independence * values[0]) ++result.rank;
  const MatrixXd v = svd.matrixV();
  const MatrixXd determined = v.leftCols(result.rank) * values.head(result.rank).cwiseInverse().asDiagonal();
  const MatrixXd covariance = determined * determined.transpose();
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) {
      result.covariance(used[static_cast<std::size_t>(a)], used[static_cast<std::size_t>(b)]) =
          covariance(a, b) / (lengths[a] * lengths[b]);
    }
  }
  if (result.rank == count) return result;
  const MatrixXd basis = sparse_basis(v.rightCols(count - result.rank));
  for (Index c = 0; c < basis.cols(); ++c) {
    OpenCombination one;
    const double largest = basis.col(c).cwiseAbs().maxCoeff();
    double first = 0;
    for (Index k = 0; k < count; ++k) {
      if (std::abs(basis(k, c)) <= takes_part * largest) continue;
      const auto p = static_cast<std::size_t>(used[static_cast<std::size_t>(k)]);
      const double change = basis(k, c) / lengths[k];
      if (first == 0) first = change;
      one.parameters.push_back(p);
      one.direction.push_back(change / first);
      result.is_open[p] = true;
    }
    find_kind(search, minimum, weights, jacobian, one);
    result.open.push_back(std::move(one));
  }
  return result;
}

}  // namespace wave::analysis::model_fit
