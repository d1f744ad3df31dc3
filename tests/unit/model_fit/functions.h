// Functions that the tests fit instead of models.
#pragma once

#include "analysis/model_fit/model_fit.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace wave::test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Predicts one configuration at one point.
using Function = std::function<double(const VectorXd& at, Index configuration)>;

inline analysis::model_fit::Predict predictions_of(Function function, Index configurations) {
  return [function = std::move(function), configurations](const MatrixXd& points) -> std::optional<MatrixXd> {
    MatrixXd result(configurations, points.cols());
    for (Index k = 0; k < points.cols(); ++k) {
      for (Index i = 0; i < configurations; ++i) result(i, k) = function(points.col(k), i);
    }
    return result;
  };
}

constexpr double unbounded = std::numeric_limits<double>::infinity();

// What is measured of `function` at the true values.
inline analysis::model_fit::FitProblem problem_of(const Function& function, Index configurations, const VectorXd& truth,
                                                  std::vector<analysis::model_fit::FitParameter> parameters) {
  analysis::model_fit::FitProblem problem;
  problem.parameters = std::move(parameters);
  problem.observations.measured = (*predictions_of(function, configurations)(truth)).col(0);
  problem.counts.assign(static_cast<std::size_t>(configurations), 1);
  return problem;
}

// The value of WAVE_SEED, or `usual`.
std::uint64_t seed_from(std::uint64_t usual);

}  // namespace wave::test
