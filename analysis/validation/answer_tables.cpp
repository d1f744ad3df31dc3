// See answer_tables.h.
#include "analysis/validation/answer_tables.h"

#include "frontend/format/quantities.h"

#include <string>
#include <utility>

namespace wave::analysis {
namespace {

using model_fit::FittedModel;

Cell whole(std::size_t number) { return static_cast<std::int64_t>(number); }

Field count(const char* name, std::size_t value) { return {{name, count_type(), {}}, whole(value)}; }
Field number(const char* name, double value) { return {{name, plain_type(), {}}, value}; }
Field truth(const char* name, bool value) { return {{name, truth_type(), {}}, value}; }
Field text(const char* name, const std::string& value) { return {{name, text_type(), {}}, value}; }

// A column of numbers beside the measurements: of their quantity and unit, unless it is a share.
struct MoreColumn {
  std::string name;
  std::vector<double> values;
  bool is_share = false;
};

ResultColumn count_column(const std::string& name, std::vector<std::int64_t> values) {
  return {{std::move(values), {}, {}}, name, count_type(), {}, "", false};
}

ResultTable configurations_with(const MeasuredData& data, std::vector<MoreColumn> more) {
  ResultTable table = data.table_of_configurations();
  for (ResultColumn& column : table.columns) column.varied = true;
  table.columns.back().varied = false;
  table.columns.back().name = "measured";
  const ResultColumn measured = table.columns.back();
  for (MoreColumn& one : more) {
    ResultColumn& column = table.columns.emplace_back(measured);
    column.name = one.name;
    column.values = std::move(one.values);
    if (!one.is_share) continue;
    column.type = plain_type();
    column.unit.reset();
  }
  std::vector<std::int64_t> rows, repetitions;
  for (const auto& one : data.configurations()) {
    rows.push_back(static_cast<std::int64_t>(one.rows.front()));
    repetitions.push_back(static_cast<std::int64_t>(one.rows.size()));
  }
  table.columns.insert(table.columns.begin(), count_column("row", std::move(rows)));
  table.columns.push_back(count_column("repetitions", std::move(repetitions)));
  return table;
}

std::vector<double> values_of(const Eigen::VectorXd& all) { return {all.begin(), all.end()}; }

}  // namespace

ResultTable configurations_table(const MeasuredModel& measured, const Validation& found) {
  std::vector<double> deviations, predicted, errors;
  for (const Pair& one : found.pairs) {
    deviations.push_back(one.deviation);
    predicted.push_back(one.predicted);
    errors.push_back(one.error());
  }
  return configurations_with(
      *measured.data,
      {{"deviation", std::move(deviations)}, {"predicted", std::move(predicted)}, {"error", std::move(errors), true}});
}

RowTable summary_table(const MeasuredModel& measured, const Validation& found) {
  return record_table("summary", {text("shown", measured.shown().name), count("left_out", measured.left_out),
                                  count("compared", found.compared), number("mean_error", found.mean_error),
                                  number("bias", found.bias), number("root_mean_square", found.root_mean_square),
                                  number("largest_error", found.largest), count("worst", found.worst)});
}

RowTable ranking_table(const Ranking& ranking) {
  std::vector<Field> fields{count("pairs", ranking.distinguished), count("ties", ranking.tied),
                            count("right", ranking.right), count("wrong", ranking.wrong), number("tau", ranking.tau)};
  if (ranking.wanted != Preference::unknown) {
    fields.push_back(count("predicted_best", ranking.chosen));
    fields.push_back(count("measured_best", ranking.best));
    fields.push_back(number("loss", ranking.loss));
  }
  return record_table("ranking", fields);
}

RowTable inversions_table(const Ranking& ranking) {
  RowTable table{"inversions",
                 "",
                 {{"predicted_below", count_type(), {}},
                  {"measured_below", count_type(), {}},
                  {"predicted_by", plain_type(), {}},
                  {"measured_by", plain_type(), {}}},
                 {}};
  for (const auto& one : ranking.inversions)
    table.rows.push_back({whole(one.first), whole(one.second), one.predicted, one.measured});
  return table;
}

RowTable parameters_table(const OpenFit& open, const FittedModel& fit) {
  RowTable table{"parameters",
                 "",
                 {{"parameter", text_type(), {}},
                  {"value", plain_type(), {}},
                  {"standard_error", plain_type(), {}},
                  {"low", plain_type(), {}},
                  {"high", plain_type(), {}},
                  {"unit", text_type(), {}},
                  {"standing", text_type(), {}}},
                 {}};
  for (std::size_t p = 0; p < open.parameters.size(); ++p) {
    const auto& one = fit.parameters[p];
    const auto scale = frontend::standard_scale(dimension_of_parameter(open, p));
    table.rows.push_back({open.parameters[p].name, scale.shown(one.value), scale.shown(one.error), scale.shown(one.low),
                          scale.shown(one.high), scale.unit, std::string(standing_word(one.standing))});
  }
  return table;
}

RowTable correlation_table(const OpenFit& open, const FittedModel& fit) {
  RowTable table{"correlation", "", {}, {}};
  for (const auto& one : open.parameters) table.columns.push_back({one.name, plain_type(), {}});
  for (Eigen::Index a = 0; a < fit.correlation.rows(); ++a) {
    auto& row = table.rows.emplace_back();
    for (Eigen::Index b = 0; b < fit.correlation.cols(); ++b) row.emplace_back(fit.correlation(a, b));
  }
  return table;
}

RowTable open_table(const OpenFit& open, const FittedModel& fit) {
  RowTable table{"open", "", {{"parameters", text_type(), {}}, {"determined", text_type(), {}}}, {}};
  for (const auto& one : fit.open) {
    std::string names;
    for (const std::size_t p : one.parameters) names += (names.empty() ? "" : ", ") + open.parameters[p].name;
    table.rows.push_back({names, combination_of(open, one)});
  }
  return table;
}

ResultTable configurations_table(const OpenFit& open, const FittedModel& fit) {
  std::vector<double> errors;
  for (Eigen::Index i = 0; i < fit.predicted.size(); ++i)
    errors.push_back(relative_error(fit.predicted[i], open.problem.observations.measured[i]));
  return configurations_with(*open.measured.data, {{"fitted", values_of(fit.predicted)},
                                                   {"error", std::move(errors), true},
                                                   {"left_out", values_of(fit.left_out.predicted)},
                                                   {"weight", values_of(fit.weights), true}});
}

RowTable summary_table(const OpenFit& open, const FittedModel& fit) {
  const auto errors = errors_of(fit.predicted, open, fit), left = errors_of(fit.left_out.predicted, open, fit);
  return record_table(
      "summary", {text("shown", open.measured.shown().name), count("left_out", open.measured.left_out),
                  text("minimized", open.choice.errors == ErrorKind::relative ? "relative" : "absolute"),
                  truth("robust", open.choice.robust), number("confidence", open.choice.confidence),
                  truth("converged", fit.converged), truth("stopped", fit.stopped), truth("smooth", fit.smooth),
                  count("starts", fit.starts), count("reached", fit.reached), number("degrees_of_freedom", fit.freedom),
                  truth("from_repetitions", fit.from_repetitions),
                  number("root_mean_square_error", errors.root_mean_square), number("largest_error", errors.largest),
                  number("left_out_root_mean_square", left.root_mean_square), number("left_out_largest", left.largest),
                  number("lack_of_fit_ratio", fit.lack ? fit.lack->ratio : model_fit::nothing),
                  number("lack_of_fit_probability", fit.lack ? fit.lack->probability : model_fit::nothing)});
}

}  // namespace wave::analysis
