// A model and measurements of what it predicts, as `wave validate` and `wave fit` have them.
#pragma once

#include "analysis/validation/measured_data.h"
#include "analysis/validation/validation.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/studies/study_session.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

struct MeasuredModel {
  std::string file;  // of the measurements, as the user named it
  const frontend::Item* model = nullptr;
  std::optional<analysis::MeasuredData> data;
  OpenStudy study;           // its first shown is what was measured
  std::size_t left_out = 0;  // configurations, by --where
  const analysis::Shown& shown() const { return study.points->shown().front(); }
};

// `session` has loaded the model's file. `fitted` are parameters whose values come from elsewhere. Nothing, with
// diagnostics collected in the session, after an error.
std::optional<MeasuredModel> open_measured(Session& session, const StudyChoice& choice,
                                           const Measurements& measurements, const std::vector<std::string>& fitted);

// What the model shows at every configuration and trial. Nothing, with the failure reported, when time or memory are
// out.
std::optional<analysis::Predictions> predict(Session& session, MeasuredModel& measured, const analysis::Trials& trials,
                                             const std::function<void(std::size_t rows)>& progress = {});

// The predictions of one trial beside the means of what was measured.
analysis::Validation validate(const MeasuredModel& measured, const analysis::Predictions& predictions,
                              analysis::Preference wanted);

// What failed, once for each kind, at the row where it happened first.
void report_failed(Session& session, const MeasuredModel& measured, const analysis::Predictions& predictions);

// "line 5: n = 2, m = 3".
std::string name_of(const MeasuredModel& measured, const frontend::Program& program, std::size_t configuration);
// "line 5".
std::string short_name_of(const MeasuredModel& measured, std::size_t configuration);
// The cells of the parameters, as written.
std::vector<std::string> cells_of(const MeasuredModel& measured, const frontend::Program& program,
                                  std::size_t configuration);

// The unit of the measurements, in which predictions are shown beside them.
Scale scale_of_measured(const MeasuredModel& measured);

}  // namespace wave::cli
