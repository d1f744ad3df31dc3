// What `wave run --samples` adds to the results of a model: the spread of its outputs.
#pragma once

#include "cli/evaluation.h"
#include "cli/results.h"

namespace wave::cli {

struct SampledModel {
  const std::vector<std::string>& overrides;
  const EngineSettings& engine;
  const analysis::StudySampling& sampling;
  Format format;
};

// Lowers the model again, with a draw for each value that is written with `±`. It samples outputs that are single
// values and were evaluated. Spreads that cannot be carried through are warnings in the session. False if there is
// nothing to show.
bool add_samples(Session& session, const frontend::Item& model, const SampledModel& of, Results& results);

// That no value of the model is written with `±`.
void warn_of_no_spread(Session& session);

}  // namespace wave::cli
