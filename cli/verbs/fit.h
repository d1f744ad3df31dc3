// What `wave fit` is asked, and the half of it that fits a model.
#pragma once

#include "analysis/machine_fit/machine_question.h"
#include "analysis/machine_fit/machine_text.h"
#include "analysis/validation/parameter_fit.h"
#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/options.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

using analysis::ErrorKind;

// Where parameters of a model are fitted.
struct ModelFit : analysis::FitChoice {
  StudyChoice of;
  Measurements data;
  bool in_place = false;  // the model's own file takes the fitted values
  Format format;
};

// A machine, or a model, which then is the only one of `files`.
struct Fitting : analysis::machine_fit::MachineQuestion {
  bool explain = false;  // the files as they are read, and no fit
  ModelFit of_model;
};

// Shows what several pairs of processes share, and gives the text of the machine. Nothing after a diagnostic.
std::optional<std::string> fit_interfaces(const Fitting& command, const analysis::machine_fit::Timings& timings,
                                          const analysis::machine_fit::Provenance& provenance,
                                          const frontend::Sources& sources, Console& console);

// `wave fit FILE --data CSV --params ...`: parameters of a model from measured run times.
int fit_model(const Fitting& command, const CommonOptions& options, Console& console);

}  // namespace wave::cli
