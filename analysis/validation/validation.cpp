// See validation.h.
#include "analysis/validation/validation.h"

#include "analysis/validation/measured_help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis {
namespace {

// Two means differ if they are further apart than this many of the standard errors of their difference.
constexpr double clearly = 2;
constexpr double rounding = 1e-9;  // predictions that differ by less are equal

// The standard deviation of a measurement of any configuration, relative to the measurement. 0 if nothing was repeated.
double relative_spread(const std::vector<Pair>& pairs) {
  double squares = 0, freedom = 0;
  for (const Pair& one : pairs) {
    if (one.repetitions < 2) continue;
    const auto count = static_cast<double>(one.repetitions - 1);
    squares += count * std::pow(one.deviation / one.measured, 2);
    freedom += count;
  }
  return freedom > 0 ? std::sqrt(squares / freedom) : 0;
}

bool is_tied(const Pair& a, const Pair& b, double spread) {
  if (a.measured == b.measured) return true;
  const double variance = std::pow(spread * a.measured, 2) / static_cast<double>(a.repetitions) +
                          std::pow(spread * b.measured, 2) / static_cast<double>(b.repetitions);
  return std::abs(a.measured - b.measured) <= clearly * std::sqrt(variance);
}

double larger_by(double a, double b) { return std::max(a, b) / std::min(a, b) - 1; }

bool is_worse(const Inversion& a, const Inversion& b) { return a.measured > b.measured; }

// Finds the cost of choosing by the predictions.
void choose(Ranking& ranking, const std::vector<Pair>& pairs, const std::vector<std::size_t>& compared,
            Preference wanted) {
  ranking.wanted = wanted;
  const auto is_better = [&](double a, double b) { return wanted == Preference::largest ? a > b : a < b; };
  ranking.chosen = *std::min_element(compared.begin(), compared.end(),
                                     [&](auto a, auto b) { return is_better(pairs[a].predicted, pairs[b].predicted); });
  // What was measured to be the best may be where the model fails.
  ranking.best = static_cast<std::size_t>(
      std::min_element(pairs.begin(), pairs.end(),
                       [&](const Pair& a, const Pair& b) { return is_better(a.measured, b.measured); }) -
      pairs.begin());
  ranking.loss = larger_by(pairs[ranking.chosen].measured, pairs[ranking.best].measured);
}

Ranking rank(const std::vector<Pair>& pairs, const std::vector<std::size_t>& compared, Preference wanted) {
  Ranking result;
  const double spread = relative_spread(pairs);
  auto& worst = result.inversions;
  for (std::size_t x = 0; x < compared.size(); ++x) {
    for (std::size_t y = 0; y < x; ++y) {
      const Pair &a = pairs[compared[x]], &b = pairs[compared[y]];
      if (is_tied(a, b, spread)) {
        ++result.tied;
        continue;
      }
      ++result.distinguished;
      if (std::abs(a.predicted - b.predicted) <= rounding * std::abs(a.predicted)) continue;
      const bool a_is_predicted = a.predicted < b.predicted;
      if (a_is_predicted == (a.measured < b.measured)) {
        ++result.right;
        continue;
      }
      ++result.wrong;
      const Inversion one{a_is_predicted ? compared[x] : compared[y], a_is_predicted ? compared[y] : compared[x],
                          larger_by(a.predicted, b.predicted), larger_by(a.measured, b.measured)};
      if (worst.size() == most_inversions && !is_worse(one, worst.back())) continue;
      worst.insert(std::upper_bound(worst.begin(), worst.end(), one, is_worse), one);
      if (worst.size() > most_inversions) worst.pop_back();
    }
  }
  result.tau = result.distinguished > 0 ? (static_cast<double>(result.right) - static_cast<double>(result.wrong)) /
                                              static_cast<double>(result.distinguished)
                                        : std::numeric_limits<double>::quiet_NaN();
  choose(result, pairs, compared, wanted);
  return result;
}

}  // namespace

Validation validate(std::vector<Pair> pairs, Preference wanted) {
  Validation result;
  result.pairs = std::move(pairs);
  std::vector<std::size_t> compared;
  double squares = 0;
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    const double error = result.pairs[i].error();
    if (!std::isfinite(error)) continue;
    compared.push_back(i);
    result.mean_error += std::abs(error);
    result.bias += error;
    squares += error * error;
    if (compared.size() > 1 && std::abs(error) <= result.largest) continue;
    result.largest = std::abs(error);
    result.worst = i;
  }
  result.compared = compared.size();
  const auto count = static_cast<double>(compared.size());
  result.mean_error /= count;
  result.bias /= count;
  result.root_mean_square = std::sqrt(squares / count);
  if (compared.empty()) result.largest = std::numeric_limits<double>::quiet_NaN();
  result.has_ranking = compared.size() > 1 && compared.size() <= most_ranked;
  if (result.has_ranking) result.ranking = rank(result.pairs, compared, wanted);
  return result;
}

using frontend::DiagnosticKind;
namespace types = frontend::types;

namespace {

// Repeats the column.
ColumnValues repeated(const ColumnValues& values, std::size_t times) {
  return std::visit(
      [&](const auto& column) -> ColumnValues {
        std::remove_cvref_t<decltype(column)> result;
        result.reserve(column.size() * times);
        for (std::size_t i = 0; i < times; ++i) result.insert(result.end(), column.begin(), column.end());
        return result;
      },
      values);
}

}  // namespace

std::variant<Predictions, ir::Failure> predict(StudyModel& model, const MeasuredData& data, const Trials& trials,
                                               const backend::Limits& limits,
                                               const std::function<void(std::size_t rows)>& progress) {
  Predictions result;
  result.trials = trials.empty() ? 1 : trials.front().second.size();
  const std::size_t configurations = data.configurations().size();
  std::vector<ColumnValues> points = data.points(model.variables());
  for (std::size_t v = 0; v < points.size(); ++v) {
    const std::string& name = model.variables()[v].name;
    const auto trial = std::find_if(trials.begin(), trials.end(), [&](const auto& one) { return one.first == name; });
    if (trial == trials.end()) {
      if (result.trials > 1) points[v] = repeated(points[v], result.trials);
      continue;
    }
    std::vector<double> values;
    values.reserve(configurations * result.trials);
    for (const double value : trial->second) values.insert(values.end(), configurations, value);
    points[v] = std::move(values);
  }
  auto outcome = model.evaluate(points, limits, progress);
  if (auto* failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
  auto& table = std::get<ResultTable>(outcome);
  std::vector<ResultColumn*> shown;
  for (auto& column : table.columns) {
    if (!column.varied) shown.push_back(&column);
  }
  if (auto* reals = std::get_if<std::vector<double>>(&shown.front()->values)) {
    result.values = std::move(*reals);
  } else {
    const auto& integers = std::get<std::vector<std::int64_t>>(shown.front()->values);
    result.values.assign(integers.begin(), integers.end());
  }
  result.failed = std::move(table.failed);
  for (const auto& one : result.failed) {
    for (const std::uint64_t row : one.rows) result.values[row] = std::numeric_limits<double>::quiet_NaN();
  }
  result.holds.assign(configurations, 1);
  if (shown.size() > 1) {
    const auto& holds = std::get<std::vector<std::int64_t>>(shown[1]->values);
    result.holds.assign(holds.begin(), holds.begin() + static_cast<std::ptrdiff_t>(configurations));
  }
  return result;
}

bool check_same_quantity(const Shown& shown, const MeasuredData& data, frontend::Diagnostics& diagnostics) {
  const auto* real = std::get_if<types::Real>(&shown.type->kind);
  if (real == nullptr && !std::holds_alternative<types::Int>(shown.type->kind)) {
    diagnostics
        .add(DiagnosticKind::unusable_measurements, shown.location, fmt::format("`{}` is no quantity", shown.name),
             fmt::format("this is `{}`", to_string(*shown.type)))
        .help.push_back("say with `--show` what of the model was measured");
    return false;
  }
  const frontend::Dimension dimension = real ? real->dimension : frontend::Dimension{};
  if (dimension == data.dimension()) return true;
  if (!data.unit()) {
    auto& d = diagnostics.add(DiagnosticKind::bare_number, data.heading(), "a column of measurements without a unit",
                              fmt::format("`{}` is `{}`", shown.name, to_string(dimension)));
    help_on_missing_unit(data, shown.name, dimension, d);
    return false;
  }
  auto& d = diagnostics.add(
      DiagnosticKind::dimension_mismatch, data.heading(),
      fmt::format("measurements of `{}` for predictions of `{}`", to_string(data.dimension()), to_string(dimension)),
      fmt::format("this is `{}`", to_string(data.dimension())));
  d.labels.push_back({shown.location, fmt::format("`{}` is `{}`", shown.name, to_string(dimension))});
  d.help.push_back("say with `--show` what of the model was measured");
  return false;
}

}  // namespace wave::analysis
