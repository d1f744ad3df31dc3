// A model and measurements of what it predicts, as `wave validate` and `wave fit` are asked for them, and how they are
// named.
#pragma once

#include "analysis/validation/measured_model.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/session.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

using analysis::MeasuredModel;

// The model as these options give it and evaluate it.
analysis::GivenModel given_model(Session& session, const StudyChoice& choice, const frontend::Item& model);

// What these options say of the measurements, whose file is read. Nothing, with diagnostics collected in the session,
// where it cannot be.
std::optional<analysis::MeasuredQuestion> measured_question(Session& session, const StudyChoice& choice,
                                                            const Measurements& measurements);

// `session` has loaded the model's file. Nothing, with diagnostics collected in the session, after an error.
std::optional<MeasuredModel> open_measured(Session& session, const StudyChoice& choice,
                                           const Measurements& measurements);

// Says how the table was read, where that is not plain.
void remark_on_reading(Session& session, const analysis::MeasuredData& data);

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
