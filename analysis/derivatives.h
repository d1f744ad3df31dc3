// The derivatives of outputs by parameters, of whatever dimension both are.
#pragma once

#include "analysis/breakdown.h"

#include <optional>
#include <vector>

namespace wave::analysis {

// None where it is not known: the output has none, or the parameter acts on what the programs of processes do, or on
// what is not taken apart.
struct Slope {
  std::optional<double> value;
  // Why there is none, and where.
  std::string why;
  Location location;
  bool is_endless = false;  // it has no bounds, as that of a root at 0: differences would find a number all the same
};

// An output that is a single real value.
struct Derivatives {
  const frontend::OutputInfo* output = nullptr;
  double total = 0;
  // By what was asked for, in its order; in ps, B and flop.
  std::vector<Slope> by;
  std::optional<ir::Failure> failure;  // there is no output, or a limit was met
};

// `by` are definitions of the root frame. `lowered` has its literals as definitions, and its system is added to.
std::vector<Derivatives> find_derivatives(frontend::Lowered& lowered, const std::vector<ir::DefinitionId>& by,
                                          const MakeEngine& make_engine, const backend::Limits& limits);

}  // namespace wave::analysis
