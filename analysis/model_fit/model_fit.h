// Parameters of a model, from measurements of what it predicts: nonlinear least squares from several starts, how far
// they can be trusted, and how well the model predicts what it was not fitted to. Knows nothing of models but their
// predictions.
#pragma once

#include "analysis/model_fit/open_combinations.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::model_fit {

struct FitParameter {
  double start = 0;
  double lower = 0, upper = 0;  // infinite: none; lower < upper
};

// Observations are of configurations, each the mean of as many measurements as `counts` says, as often as which it
// counts.
struct FitProblem {
  std::vector<FitParameter> parameters;
  Observations observations;
  std::vector<std::size_t> counts;
  // The sum of squares of what repetitions differ from their mean, in the terms of the residuals, and its degrees of
  // freedom.
  double repetition_squares = 0;
  double repetition_freedom = 0;
};

struct FitOptions {
  bool robust = false;
  double confidence = 0.95;
  int starts = 8;
};

enum class Standing {
  determined,
  at_lower,
  at_upper,           // the best value is a bound
  open,               // the data determine only something together with others
  without_influence,  // no prediction depends on it
};

struct FittedParameter {
  double value = 0;
  // Standard error and interval; NaN where there is none.
  double error = 0, low = 0, high = 0;
  Standing standing = Standing::determined;
};

struct LeftOut {
  Eigen::VectorXd predicted;  // of each configuration by a fit to the others; NaN where those determine less
  bool refitted = true;       // else by the derivatives at the minimum: many configurations
  // Configurations without which something is open that is determined with them.
  std::vector<std::size_t> indispensable;
};

// Whether the model misses by more than repetitions scatter.
struct LackOfFit {
  double ratio = 0, probability = 0;
};

struct FittedModel {
  std::vector<FittedParameter> parameters;
  Eigen::MatrixXd correlation;  // NaN where an error is
  std::vector<OpenCombination> open;
  Eigen::VectorXd predicted, residuals;
  Eigen::VectorXd weights;        // 1, or smaller where a robust fit trusts a measurement less
  double deviation = 0;           // the standard deviation of a measurement; NaN where there are no degrees of freedom
  double freedom = 0;             // its degrees of freedom
  bool from_repetitions = false;  // it is what repetitions differ by, for nothing else is left
  bool converged = false, smooth = true;
  std::size_t starts = 0, reached = 0;  // how many starts there were, and how many ended as low
  std::vector<double> elsewhere;        // other values that fit as well; empty: none were met
  LeftOut left_out;
  std::optional<LackOfFit> lack;
};

// Nothing: it was told to stop. `converged` is false, and nothing else is meant, where no start could be predicted.
std::optional<FittedModel> fit_model(const Predict& predict, const FitProblem& problem, const FitOptions& options);

// Predictions of each configuration by fits to the others, from the minimum.
std::optional<LeftOut> leave_out(const Predict& predict, const Observations& observations, const Box& box,
                                 const Minimum& minimum, const Eigen::VectorXd& weights, const std::vector<bool>& free);

}  // namespace wave::analysis::model_fit
