// What a fit of a model's parameters found, to be written, and as a model file.
#pragma once

#include "analysis/model_fit/model_fit.h"
#include "cli/formats/document.h"
#include "cli/studies/measured_model.h"
#include "cli/verbs/fit.h"

#include <string>
#include <vector>

namespace wave::cli {

struct ModelFitReport {
  Session& session;
  const MeasuredModel& measured;
  const ModelFit& asked;
  const std::vector<analysis::Variable>& parameters;  // those fitted
  const analysis::model_fit::FitProblem& problem;
  const analysis::model_fit::FittedModel& fit;
};

// Rows are the parameters alone.
Document document_of(const ModelFitReport& report);

// "0.7123 us ± 0.02 us", or without the standard error where there is none.
std::string value_of(const ModelFitReport& report, std::size_t parameter, bool with_error);
// "2 net.o + net.L": what the data determine of parameters that they leave open. Empty where that is no single number.
std::string combination_of(const ModelFitReport& report, const analysis::model_fit::OpenCombination& open);
// "net.o by 1 us and net.L by -2 us".
std::string direction_of(const ModelFitReport& report, const analysis::model_fit::OpenCombination& open);

// The file of the model, with what was found in the place of its defaults. Nothing, with a diagnostic, where that
// cannot be: the model is from another file, or what holds the parameter is no call.
std::optional<std::string> rewrite_model(const ModelFitReport& report, frontend::Diagnostics& diagnostics);

}  // namespace wave::cli
