// What `wave fit` is asked, and the half of it that fits a model.
#pragma once

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

struct Fitting {
  std::vector<std::string> files;        // the kind of benchmark and its files, or a model
  std::string output;                    // empty: nothing is written
  std::string name;                      // of the machine; empty: after the output
  std::string protocols;                 // "eager,eager,rendezvous"; empty: found
  int segments = 0;                      // 0: as many as a criterion finds
  std::vector<std::string> assumptions;  // "o=23us"
  std::vector<int> processes;            // of each file
  std::vector<std::string> within;       // of each of `files`: what both ends of a message share
  std::vector<int> pairs;                // only times of so many pairs at once; empty: all
  bool keep_outliers = false;
  std::string operation;  // of a collective, where no file says
  std::string sizes;      // "1 KiB..64 KiB"; empty: all
  ModelFit of_model;
};

// Shows what several pairs of processes share, and gives the text of the machine. Nothing after a diagnostic.
std::optional<std::string> fit_interfaces(const Fitting& command, const analysis::machine_fit::Timings& timings,
                                          const analysis::machine_fit::Provenance& provenance,
                                          const frontend::Sources& sources, Console& console);

// `wave fit FILE --data CSV --params ...`: parameters of a model from measured run times.
int fit_model(const Fitting& command, const CommonOptions& options, Console& console);

}  // namespace wave::cli
