// The results of a study in JSON record the command and the inputs that reproduce them.
#pragma once

#include "analysis/study/description.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/studies/study_session.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// What a study is, with the command and the inputs that make its results again, whatever it is evaluated by and
// wherever they go.
// `verb` is what takes the command line.
analysis::StudyDescription describe(Session& session, const std::string& verb, const StudyChoice& of,
                                    const OpenStudy& study);
// Whoever reads the results finds a column by its name: each may have one only.
void check_names(Session& session, const analysis::StudyDescription& description);

// `wave sweep results.json`.
bool is_recorded(const StudyChoice& choice);

// The options of a verb, read again from its recorded command line. Nothing: it belongs to another verb.
struct RecordedChoice {
  StudyChoice of;
  std::vector<std::string> search;
};
using ChoiceReader = std::function<std::optional<RecordedChoice>(std::vector<std::string> words)>;

struct RecordedStudy {
  StudyChoice of;  // what was recorded, evaluated as it is asked now
  CommonOptions options;
  std::string version;
  std::vector<analysis::StudyInput> inputs;
  std::string text;  // of the whole file
};

// Nothing, reported, where the file holds no results of a study.
std::optional<RecordedStudy> read_recorded(const StudyChoice& choice, const CommonOptions& options,
                                           const ChoiceReader& read_choice, Console& console);

// Loads the model that the results are of, and looks at their table. False, reported, where they are others.
bool load_recorded(Session& session, const RecordedStudy& recorded);

// Whether what was loaded of what the results depend on is the same as it was; says what is not. Nothing of another
// file is to be shown: results may name anybody's.
bool check_inputs(const RecordedStudy& recorded, const std::vector<analysis::StudyInput>& loaded, Console& console);
// The same where everything is loaded.
bool check_inputs(const RecordedStudy& recorded, const analysis::StudyDescription& now, Console& console);

// Says whether the results are the same. False: they are not.
bool compare_results(const RecordedStudy& recorded, const std::string& file, const std::string& now, Console& console);

}  // namespace wave::cli
