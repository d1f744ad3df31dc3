// How parameters and literals act on outputs: where time goes, how outputs answer to a change, and which parameters
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

// The model is lowered again, with its literals as definitions. What cannot be found is a warning in the session.
// `of_all_times`: of every output of dimension time. Always: outputs that are a `breakdown(...)` get their rows.
void add_breakdowns(Session& session, const frontend::Item& model, const ExplainedModel& of, bool of_all_times,
                    Results& results);
void add_sensitivities(Session& session, const frontend::Item& model, const ExplainedModel& of,
                       const std::vector<std::string>& parameters, Results& results);

// A remark on each parameter that was given with -D: somebody expects it to change something (analysis/inputs.h).
void remark_on_unused(Console& console, const frontend::Lowered& lowered);
// On what varies. Where machines or lists vary, every one of them has a system of its own, and nothing is said.
void remark_on_unused(Console& console, analysis::StudyModel& study);

// All of them, for `--unused`.
Document list_unused(const frontend::Lowered& lowered);

}  // namespace wave::cli
