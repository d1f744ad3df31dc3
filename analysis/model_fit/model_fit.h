// Fits the parameters of a model to measurements of what it predicts, by nonlinear least squares from several starts.
// Tells how far the parameters can be trusted, and how well the model predicts what it was not fitted to. This code
// knows nothing about the model except its predictions.
#pragma once

#include "analysis/model_fit/leaving_out.h"
#include "analysis/model_fit/open_combinations.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::model_fit {

struct FitParameter {
  double start = 0;
  double lower = 0, upper = 0;  // infinite: no bound; lower < upper
};

// An observation is the mean of the measurements of one configuration. `counts` says how many there are, and the
// observation counts as often.
struct FitProblem {
  std::vector<FitParameter> parameters;
  Observations observations;
  std::vector<std::size_t> counts;
  // The sum of the squared differences between repetitions and their mean, measured as the residuals are, and its
  // degrees of freedom.
  double repetition_squares = 0;
  double repetition_freedom = 0;
};

struct FitOptions {
  bool robust = false;
  double confidence = 0.95;
  int starts = 0;                                           // 0: three for one parameter, eight for several
  std::function<void(const Minimum& better)> watcher = {};  // is called with what is best so far of a start
  // How many predictions may follow an edge of the model, where planes do not lead along it.
  int most_along_edges = 100'000;
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
  bool from_repetitions = false;  // it is how far repetitions differ, because nothing else is left
  bool converged = false, smooth = true;
  bool stopped = false;                 // the best so far: predictions ended before the fit did
  std::size_t starts = 0, reached = 0;  // how many starts there were, and how many ended as low
  std::vector<double> elsewhere;        // other values that fit as well; empty if none were met
  LeftOut left_out;
  std::optional<LackOfFit> lack;
};

// Nothing if predictions ended before a first step. If no start could be predicted, `converged` is false and the rest
// means nothing.
std::optional<FittedModel> fit_model(const Predict& predict, const FitProblem& problem, const FitOptions& options);

}  // namespace wave::analysis::model_fit
