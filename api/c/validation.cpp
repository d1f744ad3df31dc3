// A model compared with measurements.
#include "analysis/validation/validation.h"

#include "api/c/measurements.h"

namespace wave::api {
namespace {

using analysis::Cell;
using analysis::count_type;
using analysis::plain_type;
using frontend::ColumnInfo;
using Fields = std::vector<std::pair<ColumnInfo, Cell>>;

Cell whole(std::size_t number) { return static_cast<std::int64_t>(number); }

Table validated_configurations(const analysis::MeasuredModel& measured, const analysis::Validation& found,
                               std::vector<analysis::FailedRows> failed) {
  std::vector<double> deviations, predicted, errors;
  for (const analysis::Pair& one : found.pairs) {
    deviations.push_back(one.deviation);
    predicted.push_back(one.predicted);
    errors.push_back(one.error());
  }
  return configurations_table(*measured.data,
                              {{"deviation", std::move(deviations)},
                               {"predicted", std::move(predicted)},
                               {"error", std::move(errors), plain_type()}},
                              std::move(failed));
}

Table summary_of(const analysis::MeasuredModel& measured, const analysis::Validation& found) {
  return record_of("summary", {{{"shown", analysis::text_type(), {}}, measured.shown().name},
                               {{"left_out", count_type(), {}}, whole(measured.left_out)},
                               {{"compared", count_type(), {}}, whole(found.compared)},
                               {{"mean_error", plain_type(), {}}, found.mean_error},
                               {{"bias", plain_type(), {}}, found.bias},
                               {{"root_mean_square", plain_type(), {}}, found.root_mean_square},
                               {{"largest_error", plain_type(), {}}, found.largest},
                               {{"worst", count_type(), {}}, whole(found.worst)}});
}

Table ranking_of(const analysis::Ranking& ranking) {
  Fields fields{{{"pairs", count_type(), {}}, whole(ranking.distinguished)},
                {{"ties", count_type(), {}}, whole(ranking.tied)},
                {{"right", count_type(), {}}, whole(ranking.right)},
                {{"wrong", count_type(), {}}, whole(ranking.wrong)},
                {{"tau", plain_type(), {}}, ranking.tau}};
  if (ranking.wanted != analysis::Preference::unknown) {
    fields.push_back({{"predicted_best", count_type(), {}}, whole(ranking.chosen)});
    fields.push_back({{"measured_best", count_type(), {}}, whole(ranking.best)});
    fields.push_back({{"loss", plain_type(), {}}, ranking.loss});
  }
  return record_of("ranking", fields);
}

Table inversions_of(const analysis::Ranking& ranking) {
  analysis::RowTable made{"inversions",
                          "",
                          {{"predicted_below", count_type(), {}},
                           {"measured_below", count_type(), {}},
                           {"predicted_by", plain_type(), {}},
                           {"measured_by", plain_type(), {}}},
                          {}};
  for (const auto& one : ranking.inversions)
    made.rows.push_back({whole(one.first), whole(one.second), one.predicted, one.measured});
  return table_of(made);
}

// Whom a call tells how far it is.
struct Asked {
  wave_progress progress;
  void* data;
};

std::shared_ptr<Result> validate(Model& model, const wave_measurements& measurements, const Asked& asked,
                                 const backend::Limits& limits) {
  auto given = model.given_texts();
  auto reading = model.program->reading();
  const auto& sources = model.program->program().sources;
  frontend::Diagnostics diagnostics;
  std::optional<analysis::MeasuredModel> measured;
  read_within(limits, [&] {
    const auto question = question_of(model, measurements);
    auto opened = open_measured(given_model(model, std::move(given), limits), question, diagnostics);
    if (opened) measured.emplace(std::move(*opened));
  });
  if (!measured || diagnostics.has_errors()) fail(sources, diagnostics);
  std::optional<analysis::Predictions> predictions;
  while_others_read(reading, *measured, [&] {
    const std::uint64_t all = measured->data->configurations().size();
    const auto tell = [&](std::size_t done) {
      if (asked.progress && asked.progress(done, all, asked.data) != 0) model.is_stopped = true;
    };
    tell(0);
    predictions = predict(*measured, {}, limits, diagnostics, tell);
  });
  if (model.is_stopped) stop();
  if (!predictions) fail(sources, diagnostics);
  report_failed(*measured, *predictions, diagnostics);
  const auto found = validate(*measured, *predictions, analysis::wanted_of(measured->data->dimension()));
  auto result = std::make_shared<Result>();
  result->tables.push_back(validated_configurations(*measured, found, std::move(predictions->failed)));
  result->tables.push_back(summary_of(*measured, found));
  if (found.has_ranking) {
    result->tables.push_back(ranking_of(found.ranking));
    result->tables.push_back(inversions_of(found.ranking));
  }
  result->warnings = remarks_of(sources, diagnostics);
  return result;
}

}  // namespace
}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_model_validate(wave_model* model, const wave_measurements* measurements, wave_progress progress,
                                void* data, wave_result** result, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Model>(model, "model");
    const auto asked = checked_measurements(measurements);
    need(result, "result");
    with_model(*found, [&](const wave::backend::Limits& limits) {
      *result = open_handle<wave_result>(validate(*found, asked, {progress, data}, limits));
    });
  });
}

}  // extern "C"
