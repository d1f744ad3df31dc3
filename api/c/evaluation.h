// Evaluates a model, and what explains it.
#pragma once

#include "analysis/explanations.h"
#include "api/c/models.h"
#include "api/c/results.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace wave::api {

// All outputs, with what went wrong.
std::shared_ptr<Result> evaluate(Model& model, const backend::Limits& limits, frontend::Diagnostics& diagnostics);

// Lowers the model with its literals as definitions, which explanations ask for, and lends it to `use` while nobody
// else reads the program.
void with_literals(Model& model, const backend::Limits& limits,
                   const std::function<void(frontend::Lowered& lowered, const analysis::MakeEngine& engines)>& use);

// The same as these options say, with what is wrong in it.
void with_lowered(Model& model, const backend::Limits& limits, const frontend::LoweringOptions& options,
                  frontend::Diagnostics& diagnostics,
                  const std::function<void(frontend::Lowered& lowered, const analysis::MakeEngine& engines)>& use);

// Gives a result to the caller. If there are errors, ends the call with them; the result is then only given if
// something of it could be evaluated.
void give(Model& model, const std::shared_ptr<Result>& result, const frontend::Diagnostics& diagnostics,
          wave_result** into);

}  // namespace wave::api
