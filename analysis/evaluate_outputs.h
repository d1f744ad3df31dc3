// The outputs of a lowered model, one by one: rows of finite values, or what failed as a diagnostic.
#pragma once

#include "backend/engine.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <optional>
#include <string>

namespace wave::analysis {

struct EvaluatedOutput {
  const frontend::OutputInfo* info = nullptr;
  backend::Rows rows;
  // The code of why there are none, "E0512"; empty if there are. An output that could not be lowered had it reported
  // then.
  std::string failed;
  bool is_whole() const { return info->root.valid() && failed.empty(); }
};

// Adds to a diagnostic of a limit what would help.
using LimitHelp = std::function<void(frontend::Diagnostic& diagnostic)>;

EvaluatedOutput evaluate_output(const frontend::Lowered& lowered, const frontend::OutputInfo& info,
                                backend::Evaluation& evaluation, frontend::Diagnostics& diagnostics,
                                const LimitHelp& help = {});

// Nothing if it is no scalar, or fails: that makes everything fail that reads it, and is reported there.
std::optional<ir::Scalar> evaluate_parameter(const frontend::ParameterInfo& info, backend::Evaluation& evaluation);

}  // namespace wave::analysis
