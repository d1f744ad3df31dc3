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

// What changes predictions by about as much as they are, of a parameter that begins at zero: the largest power of ten
// that changes none by more than the measurement. 1 where none is found.
std::optional<double> scale_of(MinimumSearch& search, const VectorXd& start, const VectorXd& usual, Index parameter,
                               double sign) {
  double scale = 1;
  int smallest = smallest_exponent, largest = largest_exponent + 1;
  while (smallest < largest) {
    const int exponent = smallest + (largest - smallest) / 2;
    VectorXd point = start;
    point[parameter] = sign * std::pow(10, exponent);
    const auto predicted = search.predict(point);
    if (!predicted) return std::nullopt;
    const VectorXd change = (predicted->col(0) - usual).cwiseQuotient(search.observations().measured).cwiseAbs();
    const bool is_small = change.allFinite() && change.maxCoeff() <= 1;
    if (is_small && change.maxCoeff() > 0) scale = std::pow(10, exponent);
    if (is_small)
      smallest = exponent + 1;
    else
      largest = exponent;
  }
  return scale;
}

// The usual values, within the bounds.
VectorXd start_of(const FitProblem& problem) {
  VectorXd start(static_cast<Index>(problem.parameters.size()));
  for (Index j = 0; j < start.size(); ++j) {
    const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
    start[j] = std::clamp(one.start, one.lower, one.upper);
  }
  return start;
}

// The box of the parameters.
Box find_box(const FitProblem& problem) {
  const auto parameters = static_cast<Index>(problem.parameters.size());
  Box box{VectorXd(parameters), VectorXd(parameters), start_of(problem).cwiseAbs()};
  for (Index j = 0; j < parameters; ++j) {
    const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
    box.lower[j] = one.lower;
    box.upper[j] = one.upper;
    if (std::isfinite(one.lower) && std::isfinite(one.upper))
      box.scale[j] = std::max(box.scale[j], (one.upper - one.lower) / 4);
  }
  return box;
}

// Finds the scales that are not known from starts and bounds. False: it was told to stop.
bool find_scales(MinimumSearch& search, const FitProblem& problem, Box& box) {
  if ((box.scale.array() != 0).all()) return true;
  const VectorXd start = start_of(problem);
  const auto usual = search.predict(start);
  if (!usual) return false;
  for (Index j = 0; j < start.size(); ++j) {
    if (box.scale[j] != 0) continue;
    const auto scale = scale_of(search, start, usual->col(0), j, box.upper[j] > 0 ? 1 : -1);
    if (!scale) return false;
    box.scale[j] = *scale;
  }
  return true;
}

// The first is the usual one. They are always the same. In one dimension the first of Halton's points is the usual one,
// too.
std::vector<VectorXd> choose_starts(const FitProblem& problem, const Box& box, int count) {
  const auto parameters = static_cast<Index>(problem.parameters.size());
  std::vector<VectorXd> result = {start_of(problem)};
  for (int k = 1; k < count; ++k) {
    VectorXd at(parameters);
    for (Index j = 0; j < parameters; ++j) {
      const FitParameter& one = problem.parameters[static_cast<std::size_t>(j)];
      at[j] = spread(one, box.scale[j], halton(parameters == 1 ? k + 1 : k, prime(static_cast<int>(j))));
    }
    result.push_back(std::move(at));
  }
  return result;
}

constexpr int usual_starts = 8, usual_starts_of_one = 3;
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
  Found found;
  VectorXd weights;
  double deviation = 0;
};

// Uses weights that never vanish first, and then weights that leave out what is far off.
Robust reweight(MinimumSearch& search, const VectorXd& counts, Found found) {
  const Index parameters = found.minimum.at.size();
  Robust result{std::move(found), VectorXd::Ones(counts.size()), 0};
  for (const bool last : {false, true}) {
    for (int round = 0; round < most_reweightings && !search.is_stopped(); ++round) {
      const VectorXd residuals = counts.cwiseSqrt().cwiseProduct(result.found.minimum.residuals);
      if (round == 0 || !last) result.deviation = deviation_of(residuals, parameters);
      VectorXd weights = residuals / result.deviation;
      for (double& u : weights) u = last ? bisquare_weight(u) : huber_weight(u);
      const double change = (weights - result.weights).cwiseAbs().maxCoeff();
      const bool is_settled = round > 0 && change < 1e-6;
      Known known;
      known.tangents = &result.found.tangents;
      known.trial = last && is_settled ? Known::Trial::around : Known::Trial::none;
      Found next = search.find({result.found.minimum.at, weights.cwiseProduct(counts)}, known);
      result.weights = weights;
      result.found = std::move(next);
      if (is_settled) break;
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
std::size_t choose(const std::vector<Found>& minima, double negligible) {
  double least = std::numeric_limits<double>::infinity();
  for (const Found& one : minima) least = std::min(least, one.minimum.cost);
  for (std::size_t i = 0; i < minima.size(); ++i) {
    if (minima[i].minimum.cost <= least * (1 + as_low) + negligible) return i;
  }
  return 0;
}

void look_elsewhere(FittedModel& fit, const std::vector<Found>& minima, const Minimum& chosen, const Box& box,
                    double negligible, bool all_determined) {
  for (const Found& found : minima) {
    const Minimum& one = found.minimum;
    if (!(one.cost <= chosen.cost * (1 + as_low) + negligible)) continue;
    ++fit.reached;
    if (!all_determined || !fit.elsewhere.empty()) continue;
    for (Index j = 0; j < one.at.size(); ++j) {
      const double size = std::max(std::abs(chosen.at[j]), elsewhere_by * box.scale[j]);
      if (std::abs(one.at[j] - chosen.at[j]) > elsewhere_by * size) fit.elsewhere.assign(one.at.begin(), one.at.end());
    }
  }
}

// A search from each of the starts, as far as predictions go.
std::vector<Found> find_minima(MinimumSearch& search, const VectorXd& counts, const std::vector<VectorXd>& starts) {
  std::vector<Found> minima;
  Known known;
  known.minima = &minima;
  for (const VectorXd& at : starts) {
    Found found = search.find({at, counts}, known);
    // What was found until it was stopped counts if there is a derivative, without which nothing follows.
    if (search.is_stopped() && found.minimum.jacobian.size() == 0) break;
    minima.push_back(std::move(found));
    if (search.is_stopped()) break;
  }
  return minima;
}

// A minimum on an edge may not be the end of the edge. Where a search has been led along one and is still on it,
// descents by the model itself begin at its end and at all starts. They end after `most` predictions.
void follow_edge(MinimumSearch& search, const VectorXd& counts, const std::vector<VectorXd>& starts, Index most,
                 Found& chosen) {
  Known known;
  known.tangents = &chosen.tangents;
  known.trial = Known::Trial::around;
  chosen = search.find({chosen.minimum.at, counts}, known);
  if (chosen.minimum.converged || search.is_stopped()) return;
  std::vector<Start> all = {{chosen.minimum.at, counts}};
  for (const VectorXd& at : starts) all.push_back({at, counts});
  Index left = most;
  const auto some = [&](const MatrixXd& points) -> std::optional<MatrixXd> {
    left -= points.cols();
    if (left < 0) return std::nullopt;
    return search.predict(points);
  };
  for (const Minimum& one : descend(some, search.observations(), search.box(), all)) {
    if (!(one.cost < chosen.minimum.cost)) continue;
    Found end = search.find({one.at, counts});
    if (!(end.minimum.cost < chosen.minimum.cost)) continue;
    chosen = std::move(end);
    chosen.minimum.converged = one.converged;
  }
}

int starts_of(const FitProblem& problem, const FitOptions& options) {
  if (options.starts > 0) return options.starts;
  return problem.parameters.size() == 1 ? usual_starts_of_one : usual_starts;
}

}  // namespace

std::optional<FittedModel> fit_model(const Predict& predict, const FitProblem& problem, const FitOptions& options) {
  const Observations& observations = problem.observations;
  Box box = find_box(problem);
  MinimumSearch search(predict, observations, box);
  if (!find_scales(search, problem, box)) return std::nullopt;
  search.watch(options.watcher);
  // A mean of four has half the error of one.
  VectorXd counts(observations.measured.size());
  for (Index i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<double>(problem.counts[static_cast<std::size_t>(i)]);
  const auto starts = choose_starts(problem, box, starts_of(problem, options));
  const auto minima = find_minima(search, counts, starts);
  if (minima.empty()) return std::nullopt;

  const double unit = observations.relative ? 1 : observations.measured.cwiseAbs().maxCoeff();
  const double negligible = 1e-18 * unit * unit * counts.sum();
  Found chosen = minima[choose(minima, negligible)];
  if (!(chosen.minimum.smooth && chosen.minimum.converged) && !search.is_stopped())
    follow_edge(search, counts, starts, options.most_along_edges, chosen);
  FittedModel fit;
  fit.starts = minima.size();
  for (Index j = 0; j < chosen.minimum.at.size(); ++j)
    fit.parameters.push_back({chosen.minimum.at[j], nothing, nothing, nothing, Standing::open});
  if (!std::isfinite(chosen.minimum.cost)) return fit;
  const Minimum before_weights = chosen.minimum;
  std::optional<Robust> robust;
  if (options.robust) {
    robust = reweight(search, counts, chosen);
    chosen = robust->found;
  }
  const Minimum& minimum = chosen.minimum;
  search.watch({});
  fit.weights = robust ? robust->weights : VectorXd::Ones(counts.size());
  fit.predicted = minimum.predicted;
  fit.residuals = minimum.residuals;
  fit.smooth = minimum.smooth;

  const auto free = free_parameters(minimum, box);
  // In a robust fit, derivatives count fully if the weights are merely below 1. Configurations that are left out say
  // nothing.
  const VectorXd informative = fit.weights.unaryExpr([](double w) { return w > 0 ? 1.0 : 0.0; }).cwiseProduct(counts);
  const Leeway leeway = find_leeway(search, minimum, informative, free);
  fit.open = leeway.open;
  bool all_determined = true;
  for (Index j = 0; j < minimum.at.size(); ++j) {
    auto& one = fit.parameters[static_cast<std::size_t>(j)];
    one.value = minimum.at[j];
    one.standing = standing_of(j, minimum, box, leeway);
    all_determined = all_determined && one.standing != Standing::open && one.standing != Standing::without_influence;
  }
  look_elsewhere(fit, minima, before_weights, box, negligible, all_determined);
  find_deviation(fit, problem, counts, leeway, robust);
  find_intervals(fit, box, leeway.covariance, options.confidence);
  if (!robust) fit.lack = find_lack(fit, problem, counts, leeway.rank);
  fit.left_out = leave_out(search, chosen, fit.weights.cwiseProduct(counts), free);
  fit.stopped = search.is_stopped();
  fit.converged = minimum.converged && !fit.stopped;
  return fit;
}

}  // namespace wave::analysis::model_fit
