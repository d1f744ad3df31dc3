// Nonlinear least squares within bounds, for functions that are smooth in pieces (a model takes the larger of two
// times): steps of Levenberg and Marquardt, with differences for derivatives, and a search around where they end. Many
// descents go side by side, so that what they ask for is evaluated together.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace wave::analysis::model_fit {

// Stands for a missing prediction, error or deviation.
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// A column for each point, to a column of predictions for each; NaN where there is none. Nothing: it was told to stop.
using Predict = std::function<std::optional<Eigen::MatrixXd>(const Eigen::MatrixXd& points)>;

// The measurements that predictions are compared with. Residuals are ln(prediction / measurement) or prediction -
// measurement.
struct Observations {
  Eigen::VectorXd measured;  // positive where relative
  bool relative = true;

  // NaN where there is no prediction, or one that has no logarithm.
  Eigen::VectorXd residuals(const Eigen::VectorXd& predicted) const;
};

struct Box {
  Eigen::VectorXd lower, upper;  // infinite: none
  Eigen::VectorXd scale;         // a change that matters, where the value itself is small
};

// Where a descent begins, and the weights of the squares; what has weight 0 need not be predicted.
struct Start {
  Eigen::VectorXd at, weights;
};

struct Minimum {
  Eigen::VectorXd at;
  Eigen::VectorXd predicted, residuals;
  Eigen::MatrixXd jacobian;  // of the residuals
  double cost = 0;           // the weighted sum of squares; infinite where nothing could be predicted at all
  bool converged = false;    // nothing near is better
  bool smooth = true;        // and the derivatives agree that it is a minimum; else the function has an edge there
  int rounds = 0;
};

// One for each start. Nothing: it was told to stop.
std::optional<std::vector<Minimum>> descend(const Predict& predict, const Observations& observations, const Box& box,
                                            const std::vector<Start>& starts);

}  // namespace wave::analysis::model_fit
