// See predictions.h.
#include "analysis/validation/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wave::analysis {

using frontend::DiagnosticKind;
namespace types = frontend::types;

namespace {

// The column again and again.
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
  for (const auto& one : result.failed) result.values[one.row] = std::numeric_limits<double>::quiet_NaN();
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
        .add(DiagnosticKind::unusable_measurements, shown.place, fmt::format("`{}` is no quantity", shown.name),
             fmt::format("this is `{}`", to_string(*shown.type)))
        .help.push_back("say with `--show` what of the model was measured");
    return false;
  }
  const frontend::Dimension dimension = real ? real->dimension : frontend::Dimension{};
  if (dimension == data.dimension()) return true;
  if (!data.unit()) {
    auto& d = diagnostics.add(DiagnosticKind::bare_number, data.heading(), "a column of measurements without a unit",
                              fmt::format("`{}` is `{}`", shown.name, to_string(dimension)));
    const std::string unit = dimension == frontend::Dimension{1, 0, 0} ? "s" : example_unit(dimension);
    if (!unit.empty()) d.help.push_back(fmt::format("give it a unit, as in `{} [{}]`", data.name(), unit));
    return false;
  }
  auto& d = diagnostics.add(
      DiagnosticKind::dimension_mismatch, data.heading(),
      fmt::format("measurements of `{}` for predictions of `{}`", to_string(data.dimension()), to_string(dimension)),
      fmt::format("this is `{}`", to_string(data.dimension())));
  d.labels.push_back({shown.place, fmt::format("`{}` is `{}`", shown.name, to_string(dimension))});
  d.help.push_back("say with `--show` what of the model was measured");
  return false;
}

}  // namespace wave::analysis
