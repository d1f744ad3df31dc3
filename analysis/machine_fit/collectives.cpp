// See machine_fit.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/regression.h"

#include <boost/math/tools/minima.hpp>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

using Growth = Term::Growth;

constexpr double least_exponent = 0.05, largest_exponent = 4;
constexpr std::size_t fewest_process_counts = 3;
constexpr std::size_t most_fitted = 1000;  // measurements; more make a fit slower, but not better

struct Form {
  std::vector<std::pair<Growth, bool>> terms;
};  // growth, and whether it is per byte

double grown(Growth growth, double n, double exponent) {
  switch (growth) {
    case Growth::constant: return 1;
    case Growth::logarithm: return std::log2(n);
    case Growth::linear: return n;
    case Growth::power: return std::pow(n, exponent);
  }
  return 0;
}

std::vector<Form> forms_of(bool sized) {
  const std::vector<std::vector<Growth>> starts = {{Growth::constant},
                                                   {Growth::logarithm},
                                                   {Growth::logarithm, Growth::constant},
                                                   {Growth::linear},
                                                   {Growth::linear, Growth::constant}};
  std::vector<std::vector<Growth>> bytes = starts;
  bytes.push_back({Growth::power});
  bytes.push_back({Growth::power, Growth::constant});
  std::vector<Form> forms;
  for (const auto& start : starts) {
    if (!sized) {
      Form form;
      for (const Growth one : start) form.terms.emplace_back(one, false);
      forms.push_back(form);
      continue;
    }
    for (const auto& per_byte : bytes) {
      Form form;
      for (const Growth one : start) form.terms.emplace_back(one, false);
      for (const Growth one : per_byte) form.terms.emplace_back(one, true);
      forms.push_back(form);
    }
  }
  return forms;
}

struct Fitted {
  Form form;
  double exponent = 0;
  bool has_exponent = false;
  LinearFit linear;
  double sum_of_squares = std::numeric_limits<double>::infinity();  // of relative residuals
  double criterion = std::numeric_limits<double>::infinity();
};

// Solves by the normal equations of columns of equal length. That is quick enough for a search, which asks often.
Eigen::VectorXd solve_quickly(const Eigen::MatrixXd& design, const Eigen::VectorXd& times,
                              const Eigen::VectorXd& weights) {
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  Eigen::MatrixXd scaled = roots.asDiagonal() * design;
  const Eigen::VectorXd lengths = scaled.colwise().norm();
  for (Eigen::Index j = 0; j < scaled.cols(); ++j) scaled.col(j) /= lengths[j] > 0 ? lengths[j] : 1;
  const Eigen::MatrixXd squares = scaled.transpose() * scaled;
  Eigen::VectorXd values = squares.ldlt().solve(scaled.transpose() * roots.cwiseProduct(times));
  for (Eigen::Index j = 0; j < values.size(); ++j) values[j] /= lengths[j] > 0 ? lengths[j] : 1;
  return values;
}

class CollectiveFitter {
 public:
  CollectiveFitter(const Series& series, double probability) : series_(series), probability_(probability) {
    // Takes every k-th of too many measurements.
    const std::size_t stride = (series.samples.size() + most_fitted - 1) / most_fitted;
    for (std::size_t i = 0; i < series.samples.size(); i += stride) {
      if (series.samples[i].processes > 1) samples_.push_back(series.samples[i]);
    }
  }

  std::optional<CollectiveFit> fit(frontend::Diagnostics& diagnostics);

 private:
  Fitted with_exponent(const Form& form, double exponent, bool searching = false) const;
  Fitted best(const Form& form) const;
  double criterion(const Fitted& fitted) const;
  CollectiveFit result_of(const Fitted& fitted) const;

  const Series& series_;
  const double probability_;
  std::vector<Sample> samples_;
};

// The weights come from the formula itself, as for lines. A measurement that is far off counts less (Huber).
Fitted CollectiveFitter::with_exponent(const Form& form, double exponent, bool searching) const {
  constexpr int rounds = 12;
  constexpr double huber = 3, settled = 1e-10;
  const auto n = static_cast<Eigen::Index>(samples_.size()), k = static_cast<Eigen::Index>(form.terms.size());
  Eigen::MatrixXd design(n, k);
  Eigen::VectorXd times(n), weights(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Sample& sample = samples_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < k; ++j) {
      const auto& [growth, per_byte] = form.terms[static_cast<std::size_t>(j)];
      design(i, j) = grown(growth, sample.processes, exponent) * (per_byte ? sample.size : 1);
    }
    times[i] = sample.time;
    weights[i] = 1 / (sample.time * sample.time);
  }
  Fitted result;
  result.form = form;
  result.exponent = exponent;
  for (int round = 0; round < rounds; ++round) {
    if (searching)
      result.linear.values = solve_quickly(design, times, weights);
    else
      result.linear = solve_linear(design, times, weights);
    const Eigen::VectorXd expected = design * result.linear.values;
    const double before = result.sum_of_squares;
    std::vector<double> off;
    for (Eigen::Index i = 0; i < n; ++i) off.push_back(expected[i] > 0 ? times[i] / expected[i] - 1 : 1);
    const double deviation = std::max(robust_deviation(off), finest_difference);
    result.sum_of_squares = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double r = off[static_cast<std::size_t>(i)], far = std::abs(r) / deviation;
      const double scale = expected[i] > 0 ? expected[i] : times[i];
      weights[i] = (far > huber ? huber / far : 1) / (scale * scale);
      result.sum_of_squares += r * r * (far > huber ? huber / far : 1);
    }
    if (round > 1 && std::abs(result.sum_of_squares - before) <= settled * before) break;
  }
  return result;
}

Fitted CollectiveFitter::best(const Form& form) const {
  const bool power =
      std::any_of(form.terms.begin(), form.terms.end(), [](const auto& one) { return one.first == Growth::power; });
  if (!power) return with_exponent(form, 0);
  // The rest is linear for each exponent. There may be several minima, so a few brackets are searched.
  Fitted least;
  constexpr int brackets = 4;
  for (int k = 0; k < brackets; ++k) {
    const double low = least_exponent + (largest_exponent - least_exponent) * k / brackets;
    const double high = least_exponent + (largest_exponent - least_exponent) * (k + 1) / brackets;
    std::uintmax_t most = 60;
    const auto [exponent, squares] = boost::math::tools::brent_find_minima(
        [&](double c) { return with_exponent(form, c, true).sum_of_squares; }, low, high, 40, most);
    if (squares < least.sum_of_squares) least = with_exponent(form, exponent);
  }
  least.has_exponent = true;
  return least;
}

double CollectiveFitter::criterion(const Fitted& fitted) const {
  const double n = static_cast<double>(samples_.size());
  const double free = static_cast<double>(fitted.form.terms.size()) + (fitted.has_exponent ? 1 : 0);
  if (n - free - 1 <= 0 || fitted.linear.rank < static_cast<Eigen::Index>(fitted.form.terms.size()))
    return std::numeric_limits<double>::infinity();
  return n * std::log(fitted.sum_of_squares / n + finest_difference * finest_difference) +
         free * std::log(n) * n / (n - free - 1);
}

CollectiveFit CollectiveFitter::result_of(const Fitted& fitted) const {
  CollectiveFit result;
  result.operation = series_.operation;
  result.sized = series_.sized;
  result.points = samples_.size();
  std::set<int> processes;
  result.from = std::numeric_limits<double>::infinity();
  for (const auto& sample : samples_) {
    processes.insert(sample.processes);
    result.from = std::min(result.from, sample.size);
    result.to = std::max(result.to, sample.size);
  }
  result.processes.assign(processes.begin(), processes.end());
  for (std::size_t j = 0; j < fitted.form.terms.size(); ++j) {
    Term term;
    term.growth = fitted.form.terms[j].first;
    term.per_byte = fitted.form.terms[j].second;
    term.coefficient = fitted.linear.values[static_cast<Eigen::Index>(j)];
    result.terms.push_back(term);
  }
  if (fitted.has_exponent)
    result.exponent =
        MachineParameter{"c", ParameterUnit::plain, fitted.exponent, 0, 0, 0, "exponent", "", false, false};

  // The errors of all parameters together. That of the exponent comes from the slope of the formula in it.
  const auto n = static_cast<Eigen::Index>(samples_.size()), k = static_cast<Eigen::Index>(result.terms.size());
  const Eigen::Index unknowns = k + (fitted.has_exponent ? 1 : 0);
  Eigen::MatrixXd slopes(n, unknowns);
  Eigen::VectorXd weights(n);
  double squares = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Sample& sample = samples_[static_cast<std::size_t>(i)];
    double in_exponent = 0, expected = 0;
    for (Eigen::Index j = 0; j < k; ++j) {
      const Term& term = result.terms[static_cast<std::size_t>(j)];
      slopes(i, j) = grown(term.growth, sample.processes, fitted.exponent) * (term.per_byte ? sample.size : 1);
      expected += slopes(i, j) * term.coefficient;
      if (term.growth == Growth::power)
        in_exponent += slopes(i, j) * term.coefficient * std::log(static_cast<double>(sample.processes));
    }
    if (fitted.has_exponent) slopes(i, k) = in_exponent;
    const double scale = expected > 0 ? expected : sample.time;
    weights[i] = 1 / (scale * scale);
    const double off = std::abs(sample.time / scale - 1);
    squares += off * off;
    if (off < result.largest) continue;
    result.largest = off;
    result.largest_at_size = sample.size;
    result.largest_at_processes = sample.processes;
  }
  result.rms = std::sqrt(squares / static_cast<double>(n));
  const double degrees = static_cast<double>(n - unknowns);
  const double deviation = std::max(std::sqrt(fitted.sum_of_squares / degrees), finest_difference);
  const double factor = interval_factor(probability_, degrees);
  const LinearFit errors = solve_linear(slopes, Eigen::VectorXd::Zero(n), weights);
  for (Eigen::Index j = 0; j < k; ++j) {
    Term& term = result.terms[static_cast<std::size_t>(j)];
    term.standard_error = deviation * std::sqrt(errors.unscaled_covariance(j, j));
    term.lower = term.coefficient - factor * term.standard_error;
    term.upper = term.coefficient + factor * term.standard_error;
  }
  if (result.exponent) {
    result.exponent->standard_error = deviation * std::sqrt(errors.unscaled_covariance(k, k));
    result.exponent->lower = result.exponent->value - factor * result.exponent->standard_error;
    result.exponent->upper = result.exponent->value + factor * result.exponent->standard_error;
  }
  return result;
}

std::optional<CollectiveFit> CollectiveFitter::fit(frontend::Diagnostics& diagnostics) {
  std::set<int> processes;
  std::set<double> sizes;
  for (const auto& sample : samples_) {
    processes.insert(sample.processes);
    sizes.insert(sample.size);
  }
  const auto report = [&](std::string message, std::string help) {
    diagnostics
        .add(frontend::DiagnosticKind::too_little_data, series_.samples.front().location, std::move(message),
             "of this operation")
        .help.push_back(std::move(help));
    return std::nullopt;
  };
  if (processes.size() < fewest_process_counts) {
    return report(fmt::format("how a time grows with the processes needs {} numbers of them from 2 on, and there {} {}",
                              fewest_process_counts, processes.size() == 1 ? "is" : "are", processes.size()),
                  "measure on 2, 4, 8, 16, ... processes");
  }
  Fitted least;
  for (const auto& form : forms_of(series_.sized && sizes.size() > 1)) {
    Fitted one = best(form);
    one.criterion = criterion(one);
    if (one.criterion < least.criterion) least = std::move(one);
  }
  if (!std::isfinite(least.criterion))
    return report("there are too few measurements for any formula", "measure more sizes and numbers of processes");
  return result_of(least);
}

}  // namespace

std::optional<CollectiveFit> fit_collective(const Series& series, double probability,
                                            frontend::Diagnostics& diagnostics) {
  return CollectiveFitter(series, probability).fit(diagnostics);
}

double time_of(const CollectiveFit& fit, double processes, double size) {
  double time = 0;
  for (const auto& term : fit.terms) {
    time += term.coefficient * grown(term.growth, processes, fit.exponent ? fit.exponent->value : 0) *
            (term.per_byte ? size : 1);
  }
  return std::max(time, 0.0);
}

}  // namespace wave::analysis::machine_fit
