// What is minimised: the weighted sum of the squares of residuals, and when a point is as good as any near it.
#pragma once

#include "analysis/model_fit/least_squares.h"

namespace wave::analysis::model_fit {

// Steps for derivatives, of a parameter's size (size_of). The cube root of the precision of doubles.
inline constexpr double difference = 6e-6;
inline constexpr double negligible_gain = 1e-12, rounding_gain = 1e-9;  // of the cost
inline constexpr double exact = 1e-14, nearly_exact = 1e-9;             // of what is measured

// Whether a parameter is at a bound and would be better beyond it: `slope` is the derivative of the cost.
bool is_held(const Box& box, const Eigen::VectorXd& at, Eigen::Index parameter, double slope);

class Residuals {
 public:
  Residuals(const Observations& observations, const Eigen::VectorXd& weights)
      : observations_(observations), weights_(weights), root_weights_(weights.cwiseSqrt()) {}

  const Eigen::VectorXd& weights() const { return weights_; }
  const Eigen::VectorXd& root_weights() const { return root_weights_; }
  // Times the roots of the weights; 0 where the weight is, whatever is predicted there.
  Eigen::VectorXd weighted(const Eigen::VectorXd& predicted) const;
  // Infinite where something that counts is not predicted.
  double cost(const Eigen::VectorXd& predicted) const;
  // Whether the residuals are no larger than this part of what is measured.
  bool is_exact(double cost, double precision) const;
  // Sets what follows from the predictions at a point.
  void set(Minimum& minimum, const Eigen::VectorXd& at, const Eigen::VectorXd& predicted) const;
  // Whether the derivatives agree that it is a minimum: else the function has an edge there.
  bool is_smooth(const Minimum& minimum, const Box& box) const;

 private:
  const Observations& observations_;
  const Eigen::VectorXd weights_, root_weights_;
};

}  // namespace wave::analysis::model_fit
