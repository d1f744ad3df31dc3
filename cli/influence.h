// How parameters and literals act on outputs: where time goes, how outputs respond to a change, and which parameters
// change nothing.
#pragma once

#include "analysis/study/study_model.h"
#include "cli/console.h"
#include "cli/evaluation.h"
#include "cli/formats/document.h"
#include "cli/results.h"

#include <string>

namespace wave::cli {

// What `wave run --breakdown` and `--sensitivity` add to the results of a model.
struct ExplainedModel {
  const std::vector<std::string>& overrides;
  const EngineSettings& engine;
};

// Lowers the model again, with its literals as definitions. A breakdown that cannot be found is a warning in the
// session. Outputs that are a `breakdown(...)` always get their rows; with `of_all_times`, every output of dimension
// time gets them.
void add_breakdowns(Session& session, const frontend::Item& model, const ExplainedModel& of, bool of_all_times,
                    Results& results);
void add_sensitivities(Session& session, const frontend::Item& model, const ExplainedModel& of,
                       const std::vector<std::string>& parameters, Results& results);

// Remarks on each parameter given with -D that changes nothing, since the user expects it to (analysis/inputs.h).
void remark_on_unused(Console& console, const frontend::Lowered& lowered);
// The same for what varies. If machines or lists vary, each of them has its own system, and nothing is said.
void remark_on_unused(Console& console, analysis::StudyModel& study);

// All parameters that change nothing, for `--unused`.
Document list_unused(const frontend::Lowered& lowered);

}  // namespace wave::cli
