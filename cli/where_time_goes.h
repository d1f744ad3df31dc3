// What `wave run --breakdown` and `--sensitivity` add to the results of a model.
#pragma once

#include "cli/evaluation.h"
#include "cli/result_tables.h"

namespace wave::cli {

struct ExplainedModel {
  const std::vector<std::string>& overrides;
  const EngineSettings& engine;
};

// The model is lowered again, with its literals as definitions. What cannot be found is a warning in the session.
// `of_all_times`: of every output of dimension time. Always: outputs that are a `breakdown(...)` get their rows.
void add_breakdowns(Session& session, const frontend::Item& model, const ExplainedModel& of, bool of_all_times,
                    Results& results, ResultTables& tables);
void add_sensitivities(Session& session, const frontend::Item& model, const ExplainedModel& of,
                       const std::vector<std::string>& parameters, ResultTables& tables);

}  // namespace wave::cli
