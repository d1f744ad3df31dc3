// `wave check MODEL --against RUN`: what a model's process does against a recording of the program, call by call.
#pragma once

#include "analysis/recorded/against.h"
#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/options.h"

#include <string>
#include <vector>

namespace wave::cli {

struct AgainstChoice {
  ProcessChoice of;
  std::vector<std::string> runs;  // folders with a file for each rank, or traces
  std::string phase;              // of the model; empty: everything
  std::string section;            // of the recording; empty: everything
  analysis::recorded::CallOrder order = analysis::recorded::CallOrder::strict;
  Format format;

  bool is_given() const { return !runs.empty(); }
  // Whether an option was given that means nothing without a recording.
  bool is_changed() const {
    return !of.model.empty() || !of.overrides.empty() || !of.process.empty() || !phase.empty() || !section.empty() ||
           order != analysis::recorded::CallOrder::strict;
  }
};

void add_against(CLI::App& app, AgainstChoice& choice, CommonOptions& common);
// The exit code: a failure where they differ.
int check_against(const AgainstChoice& choice, const CommonOptions& options, Console& console);

}  // namespace wave::cli
