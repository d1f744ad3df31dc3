// Nonlinear least squares within bounds, for functions that are smooth in pieces, as models are that take the larger of
// two times. A descent makes steps by Levenberg and Marquardt's method, with differences for derivatives, and searches
// around the point where they end. Many descents go side by side, so that what they ask for is evaluated together.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace wave::analysis::model_fit {

// Stands for a missing prediction, error or deviation.
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Takes a column for each point, and returns a column of predictions for each, NaN where there is none. Returns nothing
// if it was told to stop.
using Predict = std::function<std::optional<Eigen::MatrixXd>(const Eigen::MatrixXd& points)>;

// The measurements that predictions are compared with. Residuals are ln(prediction / measurement) or prediction -
// measurement.
struct Observations {
  Eigen::VectorXd measured;  // positive where relative
  bool relative = true;

  // NaN where there is no prediction, or where it has no logarithm.
  Eigen::VectorXd residuals(const Eigen::VectorXd& predicted) const;
  // The derivatives of residuals, from those of the predictions, a row for each configuration.
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& predicted, const Eigen::MatrixXd& slopes) const;
};

struct Box {
  Eigen::VectorXd lower, upper;  // infinite where there is none
  Eigen::VectorXd scale;         // a change that matters, where the value itself is small
};

// How large a parameter is, for what is small beside it: its value, unless that is far below its scale.
double size_of(const Box& box, const Eigen::VectorXd& at, Eigen::Index parameter);

// Where a descent begins, and the weights of the squares. Configurations with weight 0 need not be predicted.
struct Start {
  Eigen::VectorXd at, weights;
};

struct Minimum {
  Eigen::VectorXd at;
  Eigen::VectorXd predicted, residuals;
  Eigen::MatrixXd jacobian;  // of the residuals
  double cost = 0;           // the weighted sum of squares; infinite if nothing could be predicted at all
  bool converged = false;    // nothing near is better
  bool smooth = true;        // the derivatives agree that it is a minimum; if not, the function has an edge there
  int rounds = 0;
};

// One minimum for each start. Where `predict` was told to stop, it is the best until then and has not converged; its
// Jacobian may be of the point before it.
std::vector<Minimum> descend(const Predict& predict, const Observations& observations, const Box& box,
                             const std::vector<Start>& starts);

}  // namespace wave::analysis::model_fit
