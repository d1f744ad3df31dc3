// What verbs that go by measurements have found, to be written: the fit of a machine, the fit of a model (also as a
// model file), and how far off a model is.
#pragma once

#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/replay.h"
#include "analysis/validation/parameter_fit.h"
#include "cli/formats/document.h"
#include "cli/session.h"
#include "cli/studies/measured_model.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::cli {

// "+4.2 %".
std::string signed_percent(double share);
std::string percent(double share);

// --- a machine ---

struct FitReport {
  const analysis::machine_fit::MachineFit& fit;
  const analysis::machine_fit::Replay& replay;  // of the machine
  std::string tool;
  std::vector<std::string> files;
  std::vector<std::string> remarks;  // of reading them
  const std::string& text;           // the machine, as it is written
  const frontend::Sources& sources;  // of the files
};

// What was set aside, one a line, with its place, its value and what the fit expects. At most some of them.
std::string text_of(const std::vector<analysis::machine_fit::WildTime>& wild, const frontend::Sources& sources);

// Rows are the parameters alone.
Document document_of(const FitReport& report);

// --- a model ---

struct ModelFitReport {
  Session& session;
  const analysis::OpenFit& open;
  const analysis::model_fit::FittedModel& fit;
};

// Rows are the parameters alone.
Document document_of(const ModelFitReport& report);

// "0.7123 us ± 0.02 us", or without the standard error where there is none.
std::string value_of(const ModelFitReport& report, std::size_t parameter, bool with_error);

// The file of the model, with what was found in place of its defaults. Nothing, with a diagnostic, where that
// cannot be: the model is from another file, or what holds the parameter is no call.
std::optional<std::string> rewrite_model(const ModelFitReport& report, frontend::Diagnostics& diagnostics);

// --- how far off a model is ---

struct ValidationReport {
  Session& session;
  const MeasuredModel& measured;
  const analysis::Validation& validation;  // of its configurations
};

// Rows are the configurations.
Document document_of(const ValidationReport& report);

}  // namespace wave::cli
