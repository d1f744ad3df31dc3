// The derivatives of outputs by parameters, of whatever dimension both are.
#pragma once

#include "analysis/breakdown.h"

#include <optional>
#include <vector>

namespace wave::analysis {

// An output that is a single real value.
struct Derivatives {
  const frontend::OutputInfo* output = nullptr;
  double total = 0;
  // By what was asked for, in its order; in ps, B and flop. None where it cannot be told: the output has none, or the
  // parameter acts on how large messages are, or on the parts of a process that are not taken apart.
  std::vector<std::optional<double>> by;
  std::optional<ir::Failure> failure;  // there is no output, or a limit was met
};

// `by` are definitions of the root frame. `lowered` has its literals as definitions, and its system is added to.
std::vector<Derivatives> find_derivatives(frontend::Lowered& lowered, const std::vector<ir::DefinitionId>& by,
                                          const MakeEngine& make_engine, const backend::Limits& limits);

}  // namespace wave::analysis
