// Parameters of a model fitted to measurements.
#include "analysis/validation/parameter_fit.h"
#include "api/c/measurements.h"
#include "frontend/check/type_tools.h"
#include "frontend/format/quantities.h"

#include <algorithm>
#include <cmath>

namespace wave::api {
namespace {

using analysis::Cell;
using analysis::count_type;
using analysis::OpenFit;
using analysis::plain_type;
using analysis::text_type;
using analysis::model_fit::FittedModel;

analysis::FitChoice choice_of(const wave_fit_options* options, std::vector<std::string> parameters) {
  analysis::FitChoice choice;
  choice.params = std::move(parameters);
  if (!options) return choice;
  const auto given = read_structure(options, "options");
  choice.bounds = texts_of(given.bounds, given.bounds_count, "options.bounds");
  choice.errors = is_absolute(given.errors) ? analysis::ErrorKind::absolute : analysis::ErrorKind::relative;
  choice.robust = given.robust != 0;
  choice.confidence = confidence_of(given.confidence, choice.confidence);
  choice.starts = given.starts;
  if (choice.starts < 0 || choice.starts > analysis::most_starts)
    throw Misuse{"`options.starts` is " + std::to_string(choice.starts) + ": 1 to " +
                 std::to_string(analysis::most_starts) + " may be"};
  return choice;
}

Table parameters_of(const OpenFit& open, const FittedModel& fit) {
  analysis::RowTable made{"parameters",
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
    made.rows.push_back({open.parameters[p].name, scale.shown(one.value), scale.shown(one.error), scale.shown(one.low),
                         scale.shown(one.high), scale.unit, std::string(analysis::standing_word(one.standing))});
  }
  return table_of(made);
}

Table correlation_of(const OpenFit& open, const FittedModel& fit) {
  analysis::RowTable made{"correlation", "", {}, {}};
  for (const auto& one : open.parameters) made.columns.push_back({one.name, plain_type(), {}});
  for (Eigen::Index a = 0; a < fit.correlation.rows(); ++a) {
    auto& row = made.rows.emplace_back();
    for (Eigen::Index b = 0; b < fit.correlation.cols(); ++b) row.emplace_back(fit.correlation(a, b));
  }
  return table_of(made);
}

Table left_open(const OpenFit& open, const FittedModel& fit) {
  analysis::RowTable made{"open", "", {{"parameters", text_type(), {}}, {"determined", text_type(), {}}}, {}};
  for (const auto& one : fit.open) {
    std::string names;
    for (const std::size_t p : one.parameters) names += (names.empty() ? "" : ", ") + open.parameters[p].name;
    made.rows.push_back({names, combination_of(open, one)});
  }
  return table_of(made);
}

Table fitted_configurations(const OpenFit& open, const FittedModel& fit) {
  const auto values = [](const Eigen::VectorXd& all) { return std::vector<double>(all.begin(), all.end()); };
  std::vector<double> errors;
  for (Eigen::Index i = 0; i < fit.predicted.size(); ++i)
    errors.push_back(analysis::relative_error(fit.predicted[i], open.problem.observations.measured[i]));
  return configurations_table(*open.measured.data, {{"fitted", values(fit.predicted)},
                                                    {"error", std::move(errors), plain_type()},
                                                    {"left_out", values(fit.left_out.predicted)},
                                                    {"weight", values(fit.weights), plain_type()}});
}

Table summary_of(const OpenFit& open, const FittedModel& fit) {
  const auto errors = errors_of(fit.predicted, open, fit), left = errors_of(fit.left_out.predicted, open, fit);
  const double nothing = analysis::model_fit::nothing;
  const auto number = [](const char* name, double value) {
    return std::pair<frontend::ColumnInfo, Cell>({name, plain_type(), {}}, value);
  };
  const auto count = [](const char* name, std::size_t value) {
    return std::pair<frontend::ColumnInfo, Cell>({name, count_type(), {}}, static_cast<std::int64_t>(value));
  };
  const auto truth = [](const char* name, bool value) {
    return std::pair<frontend::ColumnInfo, Cell>({name, frontend::check::bool_type(), {}}, value);
  };
  return record_of("summary", {{{"shown", text_type(), {}}, open.measured.shown().name},
                               count("left_out", open.measured.left_out),
                               number("confidence", open.choice.confidence),
                               truth("converged", fit.converged),
                               truth("smooth", fit.smooth),
                               count("starts", fit.starts),
                               count("reached", fit.reached),
                               number("degrees_of_freedom", fit.freedom),
                               truth("from_repetitions", fit.from_repetitions),
                               number("root_mean_square_error", errors.root_mean_square),
                               number("largest_error", errors.largest),
                               number("left_out_root_mean_square", left.root_mean_square),
                               number("left_out_largest", left.largest),
                               number("lack_of_fit_ratio", fit.lack ? fit.lack->ratio : nothing),
                               number("lack_of_fit_probability", fit.lack ? fit.lack->probability : nothing)});
}

std::shared_ptr<Result> fit(Model& model, const wave_measurements& measurements, const analysis::FitChoice& choice,
                            const std::function<void(const analysis::FitProgress&)>& told,
                            const backend::Limits& limits) {
  auto given = model.given_texts();
  auto reading = model.program->reading();
  const auto& sources = model.program->program().sources;
  frontend::Diagnostics diagnostics;
  std::optional<OpenFit> open;
  read_within(limits, [&] {
    auto question = question_of(model, measurements);
    auto opened = open_fit(given_model(model, std::move(given), limits), std::move(question), choice, diagnostics);
    if (opened) open.emplace(std::move(*opened));
  });
  if (!open || diagnostics.has_errors()) fail(sources, diagnostics);
  std::optional<FittedModel> found;
  frontend::Diagnostics of_run;
  while_others_read(reading, open->measured, [&] { found = run_fit(*open, limits, of_run, told); });
  if (model.is_stopped) stop();
  if (!found || of_run.has_errors()) fail(sources, of_run);
  warn_of_fit(*open, *found, diagnostics);
  auto result = std::make_shared<Result>();
  result->tables = {parameters_of(*open, *found), correlation_of(*open, *found), left_open(*open, *found),
                    fitted_configurations(*open, *found), summary_of(*open, *found)};
  result->warnings = remarks_of(sources, diagnostics);
  return result;
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_model_fit(wave_model* model, const wave_measurements* measurements, const char* const* parameters,
                           size_t count, const wave_fit_options* options, wave_progress progress, void* data,
                           wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    const auto asked = checked_measurements(measurements);
    auto names = texts_of(parameters, count, "parameters");
    if (names.empty()) throw Misuse{"`count` is 0: name a parameter to fit"};
    const auto choice = choice_of(options, std::move(names));
    need(result, "result");
    const auto told = [&](const wave::analysis::FitProgress& so_far) {
      if (progress && progress(so_far.predictions, 0, data) != 0) found->is_stopped = true;
    };
    with_model(*found, [&](const wave::backend::Limits& limits) {
      *result = open_handle<wave_result>(fit(*found, asked, choice, told, limits));
    });
  });
}

}  // extern "C"
