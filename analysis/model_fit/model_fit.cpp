// See model_fit.h.
#include "analysis/model_fit/model_fit.h"

#include "analysis/machine_fit/regression.h"

#include <boost/math/distributions/fisher_f.hpp>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// --- where fits begin: at the usual values, and at points all around them ---

constexpr double decades = 2;  // to either side of the usual value
constexpr int smallest_exponent = -12, largest_exponent = 24;

// The point number `index` of Halton's sequence in a base: evenly spread, whatever their number.
double halton(int index, int base) {
  double result = 0, part = 1;
  for (; index > 0; index /= base) {
    part /= base;
    result += part * (index % base);
  }
  return result;
}

// Small primes, one after the other.
int prime(int index) {
  int candidate = 2;
  for (;; ++candidate) {
    bool is_prime = true;
    for (int d = 2; d * d <= candidate; ++d) is_prime = is_prime && candidate % d != 0;
    if (is_prime && index-- == 0) return candidate;
  }
}

double spread(const FitParameter& one, double scale, double u) {
  const bool bounded = std::isfinite(one.lower) && std::isfinite(one.upper);
  if (bounded && one.lower > 0) return one.lower * std::pow(one.upper / one.lower, u);
  if (bounded && one.start == 0) return one.lower + u * (one.upper - one.lower);
  const double size = one.start == 0 ? scale : one.start;
  return std::clamp(size * std::pow(10, decades * (2 * u - 1)), one.lower, one.upper);
}

// The box of the parameters. The scale of a parameter that begins at zero is what changes predictions by about as much
// as they are.
std::optional<Box> find_box(const Predict& predict, const FitProblem& problem) {
  const auto parameters = static_cast<Index>(problem.parameters.size());
  Box box{VectorXd(parameters), VectorXd(parameters), VectorXd(parameters)};
  VectorXd start(parameters);
  std::vector<Index> unknown;
  for (Index j = 0; j < parameters; ++j) {
    const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
    box.lower[j] = one.lower;
    box.upper[j] = one.upper;
    start[j] = std::clamp(one.start, one.lower, one.upper);
    box.scale[j] = std::abs(start[j]);
    if (std::isfinite(one.lower) && std::isfinite(one.upper))
      box.scale[j] = std::max(box.scale[j], (one.upper - one.lower) / 4);
    if (box.scale[j] == 0) unknown.push_back(j);
  }
  if (unknown.empty()) return box;
  constexpr int tried = largest_exponent - smallest_exponent + 1;
  MatrixXd points = start.replicate(1, 1 + tried * static_cast<Index>(unknown.size()));
  Index column = 1;
  for (const Index j : unknown) {
    const double sign = problem.parameters[static_cast<std::size_t>(j)].upper > 0 ? 1 : -1;
    for (int k = 0; k < tried; ++k) points(j, column++) = sign * std::pow(10, smallest_exponent + k);
  }
  const auto predicted = predict(points);
  if (!predicted) return std::nullopt;
  column = 1;
  for (const Index j : unknown) {
    box.scale[j] = 1;
    // Takes the largest change of the parameter that changes no prediction by more than the measurement.
    for (int k = 0; k < tried; ++k, ++column) {
      const VectorXd change =
          (predicted->col(column) - predicted->col(0)).cwiseQuotient(problem.observations.measured).cwiseAbs();
      if (change.allFinite() && change.maxCoeff() <= 1 && change.maxCoeff() > 0)
        box.scale[j] = std::pow(10, smallest_exponent + k);
    }
  }
  return box;
}

// The first is the usual one. They are always the same.
std::vector<VectorXd> choose_starts(const FitProblem& problem, const Box& box, int count) {
  const auto parameters = static_cast<Index>(problem.parameters.size());
  std::vector<VectorXd> result;
  for (int k = 0; k < count; ++k) {
    VectorXd at(parameters);
    for (Index j = 0; j < parameters; ++j) {
      const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
      at[j] = k == 0 ? std::clamp(one.start, one.lower, one.upper)
                     : spread(one, box.scale[j], halton(k, prime(static_cast<int>(j))));
    }
    result.push_back(std::move(at));
  }
  return result;
}

constexpr double as_low = 1e-6;        // of the cost
constexpr double elsewhere_by = 1e-3;  // of a value

// --- robust weights ---

constexpr double huber_limit = 1.345, bisquare_limit = 4.685;  // 95 % efficient for normal errors
constexpr int most_reweightings = 100;

double huber_weight(double u) { return std::abs(u) <= huber_limit ? 1 : huber_limit / std::abs(u); }
double bisquare_weight(double u) {
  const double t = u / bisquare_limit;
  return std::abs(t) >= 1 ? 0 : (1 - t * t) * (1 - t * t);
}
double bisquare_slope(double u) {
  const double t = u / bisquare_limit;
  return std::abs(t) >= 1 ? 0 : (1 - t * t) * (1 - 5 * t * t);
}

// The standard deviation of residuals. A few of them may be of another kind.
double deviation_of(const VectorXd& residuals, Index parameters) {
  const std::vector<double> values(residuals.data(), residuals.data() + residuals.size());
  const auto count = static_cast<double>(residuals.size());
  const double correction = std::sqrt(count / std::max(1.0, count - static_cast<double>(parameters)));
  constexpr double least = 1e-12;
  return std::max(correction * machine_fit::robust_deviation(values), least);
}

// `weights`, between 0 and 1, say what remains of the counts. `deviation` is that of one measurement.
struct Robust {
  Minimum minimum;
  VectorXd weights;
  double deviation = 0;
};

// Uses weights that never vanish first, and then weights that leave out what is far off.
std::optional<Robust> reweight(const Predict& predict, const Observations& observations, const Box& box,
                               const VectorXd& counts, Minimum minimum) {
  const Index parameters = minimum.at.size();
  Robust result{std::move(minimum), VectorXd::Ones(observations.measured.size()), 0};
  for (const bool last : {false, true}) {
    for (int round = 0; round < most_reweightings; ++round) {
      const VectorXd residuals = counts.cwiseSqrt().cwiseProduct(result.minimum.residuals);
      if (round == 0 || !last) result.deviation = deviation_of(residuals, parameters);
      VectorXd weights = residuals / result.deviation;
      for (double& u : weights) u = last ? bisquare_weight(u) : huber_weight(u);
      const double change = (weights - result.weights).cwiseAbs().maxCoeff();
      if (round > 0 && change < 1e-6) break;
      auto next = descend(predict, observations, box, {{result.minimum.at, weights.cwiseProduct(counts)}});
      if (!next) return std::nullopt;
      result.weights = weights;
      result.minimum = std::move(next->front());
    }
  }
  return result;
}

// --- what the minimum tells ---

std::vector<bool> free_parameters(const Minimum& minimum, const Box& box) {
  std::vector<bool> result;
  for (Index j = 0; j < minimum.at.size(); ++j)
    result.push_back(minimum.at[j] > box.lower[j] && minimum.at[j] < box.upper[j]);
  return result;
}

Standing standing_of(Index parameter, const Minimum& minimum, const Box& box, const Leeway& leeway) {
  const auto p = static_cast<std::size_t>(parameter);
  if (!leeway.matters[p]) return Standing::without_influence;
  if (minimum.at[parameter] <= box.lower[parameter]) return Standing::at_lower;
  if (minimum.at[parameter] >= box.upper[parameter]) return Standing::at_upper;
  return leeway.is_open[p] ? Standing::open : Standing::determined;
}

// The variance of one measurement, and how certain it is.
void find_deviation(FittedModel& fit, const FitProblem& problem, const VectorXd& counts, const Leeway& leeway,
                    const std::optional<Robust>& robust) {
  const auto count = static_cast<double>(fit.residuals.size());
  const VectorXd residuals = counts.cwiseSqrt().cwiseProduct(fit.residuals);
  fit.freedom = count - static_cast<double>(leeway.rank);
  if (fit.freedom > 0) {
    fit.deviation = std::sqrt(residuals.squaredNorm() / fit.freedom);
    if (robust) {
      // Huber's variance of such an estimate, with the Jacobian taken out.
      double squares = 0, slopes = 0;
      for (const double r : residuals) {
        const double u = r / robust->deviation;
        squares += std::pow(bisquare_weight(u) * u, 2);
        slopes += bisquare_slope(u);
      }
      fit.deviation = slopes > 0 ? robust->deviation * std::sqrt(squares / fit.freedom) * count / slopes : nothing;
    }
    return;
  }
  fit.deviation = nothing;
  fit.freedom = 0;
  if (problem.repetition_freedom <= 0) return;
  // There are as many parameters as configurations, so only repetitions show the errors.
  fit.from_repetitions = true;
  fit.freedom = problem.repetition_freedom;
  fit.deviation = std::sqrt(problem.repetition_squares / problem.repetition_freedom);
}

void find_intervals(FittedModel& fit, const Box& box, const MatrixXd& unscaled, double confidence) {
  const auto parameters = static_cast<Index>(fit.parameters.size());
  const double factor = fit.freedom > 0 ? machine_fit::interval_factor(confidence, fit.freedom) : nothing;
  for (Index j = 0; j < parameters; ++j) {
    FittedParameter& one = fit.parameters[static_cast<std::size_t>(j)];
    one.error = one.low = one.high = nothing;
    if (one.standing != Standing::determined) continue;
    one.error = fit.deviation * std::sqrt(unscaled(j, j));
    if (!std::isfinite(one.error)) continue;
    one.low = std::max(one.value - factor * one.error, box.lower[j]);
    one.high = std::min(one.value + factor * one.error, box.upper[j]);
  }
  fit.correlation = MatrixXd::Constant(parameters, parameters, nothing);
  for (Index a = 0; a < parameters; ++a) {
    for (Index b = 0; b < parameters; ++b) {
      const bool both = fit.parameters[static_cast<std::size_t>(a)].standing == Standing::determined &&
                        fit.parameters[static_cast<std::size_t>(b)].standing == Standing::determined;
      if (both) fit.correlation(a, b) = unscaled(a, b) / std::sqrt(unscaled(a, a) * unscaled(b, b));
    }
  }
}

std::optional<LackOfFit> find_lack(const FittedModel& fit, const FitProblem& problem, const VectorXd& counts,
                                   Index rank) {
  const double freedom = static_cast<double>(fit.residuals.size()) - static_cast<double>(rank);
  if (freedom <= 0 || problem.repetition_freedom <= 0 || problem.repetition_squares <= 0) return std::nullopt;
  const double squares = counts.dot(fit.residuals.cwiseAbs2());
  const double ratio = squares / freedom / (problem.repetition_squares / problem.repetition_freedom);
  const boost::math::fisher_f distribution(freedom, problem.repetition_freedom);
  return LackOfFit{std::sqrt(ratio), boost::math::cdf(boost::math::complement(distribution, ratio))};
}

// The first minimum that is as low as any, so that the usual values decide between several.
std::size_t choose(const std::vector<Minimum>& minima, double negligible) {
  double least = std::numeric_limits<double>::infinity();
  for (const Minimum& one : minima) least = std::min(least, one.cost);
  for (std::size_t i = 0; i < minima.size(); ++i) {
    if (minima[i].cost <= least * (1 + as_low) + negligible) return i;
  }
  return 0;
}

void look_elsewhere(FittedModel& fit, const std::vector<Minimum>& minima, const Minimum& chosen, const Box& box,
                    double negligible, bool all_determined) {
  for (const Minimum& one : minima) {
    if (!(one.cost <= chosen.cost * (1 + as_low) + negligible)) continue;
    ++fit.reached;
    if (!all_determined || !fit.elsewhere.empty()) continue;
    for (Index j = 0; j < one.at.size(); ++j) {
      const double size = std::max(std::abs(chosen.at[j]), elsewhere_by * box.scale[j]);
      if (std::abs(one.at[j] - chosen.at[j]) > elsewhere_by * size) fit.elsewhere.assign(one.at.begin(), one.at.end());
    }
  }
}

}  // namespace

std::optional<FittedModel> fit_model(const Predict& predict, const FitProblem& problem, const FitOptions& options) {
  const Observations& observations = problem.observations;
  const auto box = find_box(predict, problem);
  if (!box) return std::nullopt;
  // A mean of four has half the error of one.
  VectorXd counts(observations.measured.size());
  for (Index i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<double>(problem.counts[static_cast<std::size_t>(i)]);
  std::vector<Start> starts;
  for (auto& at : choose_starts(problem, *box, options.starts)) starts.push_back({std::move(at), counts});
  auto minima = descend(predict, observations, *box, starts);
  if (!minima) return std::nullopt;

  const double unit = observations.relative ? 1 : observations.measured.cwiseAbs().maxCoeff();
  const double negligible = 1e-18 * unit * unit * counts.sum();
  Minimum chosen = (*minima)[choose(*minima, negligible)];
  FittedModel fit;
  fit.starts = minima->size();
  for (Index j = 0; j < chosen.at.size(); ++j)
    fit.parameters.push_back({chosen.at[j], nothing, nothing, nothing, Standing::open});
  if (!std::isfinite(chosen.cost)) return fit;
  const Minimum before_weights = chosen;
  std::optional<Robust> robust;
  if (options.robust) {
    robust = reweight(predict, observations, *box, counts, chosen);
    if (!robust) return std::nullopt;
    chosen = robust->minimum;
  }
  fit.weights = robust ? robust->weights : VectorXd::Ones(counts.size());
  fit.predicted = chosen.predicted;
  fit.residuals = chosen.residuals;
  fit.converged = chosen.converged;
  fit.smooth = chosen.smooth;

  const auto free = free_parameters(chosen, *box);
  // In a robust fit, derivatives count fully if the weights are merely below 1. Configurations that are left out say
  // nothing.
  const VectorXd informative = fit.weights.unaryExpr([](double w) { return w > 0 ? 1.0 : 0.0; }).cwiseProduct(counts);
  const auto leeway = find_leeway(predict, observations, *box, chosen, informative, free);
  if (!leeway) return std::nullopt;
  fit.open = leeway->open;
  bool all_determined = true;
  for (Index j = 0; j < chosen.at.size(); ++j) {
    auto& one = fit.parameters[static_cast<std::size_t>(j)];
    one.value = chosen.at[j];
    one.standing = standing_of(j, chosen, *box, *leeway);
    all_determined = all_determined && one.standing != Standing::open && one.standing != Standing::without_influence;
  }
  look_elsewhere(fit, *minima, before_weights, *box, negligible, all_determined);
  find_deviation(fit, problem, counts, *leeway, robust);
  find_intervals(fit, *box, leeway->covariance, options.confidence);
  if (!robust) fit.lack = find_lack(fit, problem, counts, leeway->rank);
  auto left_out = leave_out(predict, observations, *box, chosen, fit.weights.cwiseProduct(counts), free);
  if (!left_out) return std::nullopt;
  fit.left_out = std::move(*left_out);
  return fit;
}

// --- leaving one out ---

namespace {

// At most so many refits go side by side, each with predictions of all configurations at many points.
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
