// Finds parameters that change nothing: no value that an output shows is computed from them. It follows what reads what
// in the lowered system, and never tries other values.
#pragma once

#include "frontend/lower/lower.h"

#include <set>
#include <string>
#include <vector>

namespace wave::analysis {

struct UnusedParameter {
  std::string path;
  bool given = false;  // by -D
  std::string why;     // "nothing in `M` reads it"
};

// Of a model all of whose outputs have been lowered, in the order of its parameters. What is inside of an unused
// machine or model is listed where it was given.
std::vector<UnusedParameter> unused_parameters(const frontend::Lowered& lowered);

// The definitions that the values of outputs are computed from. What is only required (`require`, ranges of parameters)
// decides whether there is a value, not which; it is looked at where `with_checks`.
std::set<ir::DefinitionId> looked_at(const frontend::Lowered& lowered, bool with_checks);

}  // namespace wave::analysis
