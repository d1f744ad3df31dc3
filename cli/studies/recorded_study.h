// The results of a study in JSON know the command and the inputs that make them again.
#pragma once

#include "analysis/study/description.h"
#include "cli/commands.h"
#include "cli/console.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// `wave sweep results.json`.
bool is_recorded(const SweepCommand& command);

struct RecordedStudy {
  SweepCommand command;  // what was recorded, evaluated and written as it is asked now
  CommonOptions options;
  std::string version;
  std::vector<analysis::StudyInput> inputs;
  std::string text;  // of the whole file
};

// Nothing, reported, where the file holds no results of a study.
std::optional<RecordedStudy> read_recorded(const SweepCommand& command, const CommonOptions& options, Console& console);

// Whether what the results depended on is still the same; says what is not.
bool check_inputs(const RecordedStudy& recorded, const analysis::StudyDescription& now, Console& console);

// Says whether the results are the same. False: they are not.
bool compare_results(const RecordedStudy& recorded, const std::string& file, const std::string& now, Console& console);

}  // namespace wave::cli
