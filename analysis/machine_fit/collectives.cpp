// Formulas of collective operations. See machine_fit.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/robust.h"
#include "frontend/format/quantities.h"
#include "frontend/source/patience.h"

#include <boost/math/tools/minima.hpp>

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
  double cost = std::numeric_limits<double>::infinity();  // robust.h
  std::vector<std::size_t> used, wild;                    // measurements
  std::vector<double> off;                                // the residuals of all
  FarOff far;
  LinearFit linear;  // to those used
  double criterion = std::numeric_limits<double>::infinity();

  std::vector<FarOff> parts() const { return {far}; }
  const std::vector<double>& residuals() const { return off; }
};

class CollectiveFitter {
 public:
  CollectiveFitter(const Series& series, double probability) : series_(series), probability_(probability) {
    // Takes every k-th of too many measurements.
    const std::size_t stride = (series.samples.size() + most_fitted - 1) / most_fitted;
    for (std::size_t i = 0; i < series.samples.size(); i += stride) {
      if (series.samples[i].processes > 1) samples_.push_back(series.samples[i]);
    }
    times_.resize(static_cast<Eigen::Index>(samples_.size()));
    for (Eigen::Index i = 0; i < times_.size(); ++i) times_[i] = samples_[static_cast<std::size_t>(i)].time;
  }

  std::optional<CollectiveFit> fit(frontend::Diagnostics& diagnostics);

 private:
  Rows design_of(const Form& form, double exponent) const;
  Fitted with_exponent(const Form& form, double exponent) const;
  Fitted best(const Form& form) const;
  Fitted best_of_all(bool sized) const;
  void settle(Fitted& fitted) const;
  bool takes_no_time(const Fitted& fitted) const;
  double criterion(const Fitted& fitted) const;
  CollectiveFit result_of(const Fitted& fitted) const;

  const Series& series_;
  const double probability_;
  std::vector<Sample> samples_;
  Eigen::VectorXd times_;
  double deviation_ = 0;
};

Rows CollectiveFitter::design_of(const Form& form, double exponent) const {
  Rows design(times_.size(), static_cast<Eigen::Index>(form.terms.size()));
  for (Eigen::Index i = 0; i < design.rows(); ++i) {
    const Sample& sample = samples_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < design.cols(); ++j) {
      const auto& [growth, per_byte] = form.terms[static_cast<std::size_t>(j)];
      design(i, j) = grown(growth, sample.processes, exponent) * (per_byte ? sample.size : 1);
    }
  }
  return design;
}

// A part of the formula that is a single term is not negative.
std::uint32_t nonnegative_of(const Form& form) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    const auto alike = std::count_if(form.terms.begin(), form.terms.end(),
                                     [&](const auto& one) { return one.second == form.terms[i].second; });
    if (alike == 1) bits |= 1U << i;
  }
  return bits;
}

Fitted CollectiveFitter::with_exponent(const Form& form, double exponent) const {
  Fitted result;
  result.form = form;
  result.exponent = exponent;
  const Rows design = design_of(form, exponent);
  Observed observed(times_.size());
  observed.times = times_;
  const RobustFit robust = fit_robust(design, observed, deviation_, Noise::of_time, nonnegative_of(form));
  result.cost = robust.cost;
  const Eigen::VectorXd expected = design * robust.values;
  for (Eigen::Index i = 0; i < expected.size(); ++i) {
    const double off = residual(times_[i], expected[i], Noise::of_time);
    result.off.push_back(off);
    result.far.add(off, deviation_, Noise::of_time);
    (std::abs(off) > most_deviations * deviation_ ? result.wild : result.used).push_back(static_cast<std::size_t>(i));
  }
  return result;
}

// Least squares over what is not wild. The weights come from the formula itself, as for lines.
void CollectiveFitter::settle(Fitted& fitted) const {
  constexpr int rounds = 12;
  const auto n = static_cast<Eigen::Index>(fitted.used.size());
  const Rows all = design_of(fitted.form, fitted.exponent);
  Eigen::MatrixXd design(n, all.cols());
  Eigen::VectorXd times(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(fitted.used[static_cast<std::size_t>(i)]);
    design.row(i) = all.row(row);
    times[i] = times_[row];
  }
  Eigen::VectorXd expected = times;
  for (int round = 0; round < rounds; ++round) {
    frontend::Patience::ask();
    const Eigen::VectorXd weights = expected.cwiseAbs2().cwiseInverse();
    fitted.linear = solve_bounded(design, times, weights, nonnegative_of(fitted.form));
    expected = design * fitted.linear.values;
    for (Eigen::Index i = 0; i < n; ++i) expected[i] = scale_of(times[i], expected[i], Noise::of_time);
  }
}

Fitted CollectiveFitter::best(const Form& form) const {
  const bool power =
      std::any_of(form.terms.begin(), form.terms.end(), [](const auto& one) { return one.first == Growth::power; });
  Fitted least;
  if (!power) {
    least = with_exponent(form, 0);
  } else {
    // The rest is linear for each exponent. There may be several minima, so a few brackets are searched.
    constexpr int brackets = 4;
    for (int k = 0; k < brackets; ++k) {
      const double low = least_exponent + (largest_exponent - least_exponent) * k / brackets;
      const double high = least_exponent + (largest_exponent - least_exponent) * (k + 1) / brackets;
      std::uintmax_t most = 60;
      const auto [exponent, cost] = boost::math::tools::brent_find_minima(
          [&](double c) { return with_exponent(form, c).cost; }, low, high, 20, most);
      if (cost < least.cost) least = with_exponent(form, exponent);
    }
    least.has_exponent = true;
  }
  settle(least);
  return least;
}

// Whether the formula gives no positive time, for no data or for each byte, on the fewest or the most processes.
bool CollectiveFitter::takes_no_time(const Fitted& fitted) const {
  for (const bool per_byte : {false, true}) {
    for (const std::size_t i : fitted.used) {
      double sum = 0;
      for (std::size_t j = 0; j < fitted.form.terms.size(); ++j) {
        const auto& [growth, of_bytes] = fitted.form.terms[j];
        if (of_bytes == per_byte)
          sum += fitted.linear.values[static_cast<Eigen::Index>(j)] *
                 grown(growth, samples_[i].processes, fitted.exponent);
      }
      if (sum < 0) return true;
    }
  }
  return false;
}

double CollectiveFitter::criterion(const Fitted& fitted) const {
  const double n = static_cast<double>(samples_.size());
  const double free = static_cast<double>(fitted.form.terms.size()) + (fitted.has_exponent ? 1 : 0);
  if (n - free - 1 <= 0 || static_cast<double>(fitted.used.size()) <= free || takes_no_time(fitted) ||
      fitted.linear.rank < static_cast<Eigen::Index>(fitted.form.terms.size()))
    return std::numeric_limits<double>::infinity();
  return misfit(fitted.cost, fitted.far.all, samples_.size(), deviation_, finest_difference) +
         free * std::log(n) * n / (n - free - 1);
}

Fitted CollectiveFitter::best_of_all(bool sized) const {
  Fitted least;
  for (const auto& form : forms_of(sized)) {
    Fitted one = best(form);
    one.criterion = criterion(one);
    if (one.criterion < least.criterion) least = std::move(one);
  }
  return least;
}

CollectiveFit CollectiveFitter::result_of(const Fitted& fitted) const {
  CollectiveFit result;
  result.operation = series_.operation;
  result.sized = series_.sized;
  result.points = fitted.used.size();
  std::set<int> processes;
  result.from = std::numeric_limits<double>::infinity();
  for (const std::size_t i : fitted.used) {
    const Sample& sample = samples_[i];
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
    result.exponent = MachineParameter{"c", ParameterUnit::plain, fitted.exponent, 0, 0, 0, "exponent", "", false};

  // The errors of all parameters together. That of the exponent comes from the slope of the formula in it.
  const auto n = static_cast<Eigen::Index>(fitted.used.size()), k = static_cast<Eigen::Index>(result.terms.size());
  const Eigen::Index unknowns = k + (fitted.has_exponent ? 1 : 0);
  Eigen::MatrixXd slopes(n, unknowns);
  Eigen::VectorXd weights(n);
  double squares = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Sample& sample = samples_[fitted.used[static_cast<std::size_t>(i)]];
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
  const double deviation = std::max(std::sqrt(squares / degrees), finest_difference);
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
  for (const std::size_t i : fitted.wild) {
    const Sample& one = samples_[i];
    result.wild.push_back({series_.operation, one.size, one.time, time_of(result, one.processes, one.size),
                           one.location,
                           frontend::counted(static_cast<std::size_t>(one.processes), "process", "processes")});
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
  const bool sized = series_.sized && sizes.size() > 1;
  const Fitted least = fit_formula([&](double deviation) {
    deviation_ = deviation;
    return best_of_all(sized);
  });
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
