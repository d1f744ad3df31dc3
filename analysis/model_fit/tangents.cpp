// See tangents.h.
#include "analysis/model_fit/tangents.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-9;      // of a prediction, and of one by derivatives a parameter's own size away
constexpr double longest_lever = 1e3;  // beyond which errors of derivatives count no further

}  // namespace

double distance(const Box& box, const VectorXd& from, const VectorXd& to) {
  double largest = 0;
  for (Index j = 0; j < from.size(); ++j)
    largest = std::max(largest, std::abs(to[j] - from[j]) / size_of(box, from, j));
  return largest;
}

TangentModel::TangentModel(const std::vector<Tangent>& tangents) : tangents_(tangents) {
  const Tangent& first = tangents.front();
  for (Index i = 0; i < first.predicted.size(); ++i) {
    const double here = first.predicted[i], negligible = rounding * std::abs(here);
    bool all_above = true, all_below = true;
    std::vector<double> excess = {0};
    for (std::size_t t = 1; t < tangents.size(); ++t) {
      excess.push_back(tangents[t].predicted[i] + tangents[t].slopes.row(i).dot(first.at - tangents[t].at) - here);
      all_above = all_above && excess.back() >= -negligible;
      all_below = all_below && excess.back() <= negligible;
    }
    is_least_.push_back(all_above && !all_below);
    for (double& one : excess) one = is_least_.back() ? 0 : std::max(one, 0.0);
    excess_.push_back(std::move(excess));
  }
}

double TangentModel::height(std::size_t tangent, Index configuration, const VectorXd& point) const {
  const Tangent& one = tangents_[tangent];
  return one.predicted[configuration] + one.slopes.row(configuration).dot(point - one.at) -
         excess_[static_cast<std::size_t>(configuration)][tangent];
}

std::size_t TangentModel::plane(Index configuration, const VectorXd& point) const {
  const auto i = static_cast<std::size_t>(configuration);
  std::size_t chosen = 0;
  double best = 0;
  for (std::size_t t = 0; t < tangents_.size(); ++t) {
    const double other = height(t, configuration, point);
    if (t != 0 && (is_least_[i] ? other >= best : other <= best)) continue;
    best = other;
    chosen = t;
  }
  return chosen;
}

VectorXd TangentModel::predict(const VectorXd& point, double softness) const {
  VectorXd result(static_cast<Index>(excess_.size()));
  for (Index i = 0; i < result.size(); ++i) {
    const double sharp = height(plane(i, point), i, point);
    result[i] = softness > 0 ? sharp + rounded_off(i, point, sharp, softness) : sharp;
  }
  return result;
}

// By the logarithm of a sum of exponentials, which is a greatest value with rounded edges.
double TangentModel::rounded_off(Index configuration, const VectorXd& point, double sharp, double softness) const {
  const auto i = static_cast<std::size_t>(configuration);
  const double width = softness * std::abs(tangents_.front().predicted[configuration]);
  if (width == 0) return 0;
  double sum = 0;
  for (std::size_t t = 0; t < tangents_.size(); ++t)
    sum += std::exp(-std::abs(height(t, configuration, point) - sharp) / width);
  return (is_least_[i] ? -1 : 1) * width * std::log(sum);
}

Predict TangentModel::predictions(double softness) const {
  return [this, softness](const MatrixXd& points) -> std::optional<MatrixXd> {
    MatrixXd result(static_cast<Index>(excess_.size()), points.cols());
    for (Index k = 0; k < points.cols(); ++k) result.col(k) = predict(points.col(k), softness);
    return result;
  };
}

MatrixXd TangentModel::slopes(const VectorXd& point) const {
  MatrixXd result(static_cast<Index>(excess_.size()), point.size());
  for (Index i = 0; i < result.rows(); ++i) result.row(i) = tangents_[plane(i, point)].slopes.row(i);
  return result;
}

bool is_same(const VectorXd& predicted, const VectorXd& expected, const VectorXd& weights, double distance) {
  const double allowed = rounding * (1 + std::min(distance, longest_lever));
  for (Index i = 0; i < predicted.size(); ++i) {
    if (weights[i] == 0) continue;
    if (!(std::abs(predicted[i] - expected[i]) <= allowed * std::abs(predicted[i]))) return false;
  }
  return true;
}

}  // namespace wave::analysis::model_fit
