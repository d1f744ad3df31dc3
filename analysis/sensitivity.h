// Tells how an output responds to a parameter: its derivative, and how far the parameter may grow before the output has
// risen by a given part. The growth is found by evaluating again and again, because thresholds make outputs jump.
#pragma once

#include "analysis/breakdown.h"

namespace wave::analysis {

struct Sensitivity {
  const frontend::OutputInfo* output = nullptr;
  const frontend::ParameterInfo* parameter = nullptr;
  double value = 0;                  // of the parameter, in ps, bytes, ...
  std::optional<double> derivative;  // in such units
  // The largest growth that was found to keep the output within the limit, just below one that does not; none: as far
  // as was looked (`furthest_growth` times the value) it stays within.
  std::optional<double> growth;
  std::optional<ir::Failure> failure;
};

inline constexpr double furthest_growth = 1e6;

// For the outputs of dimension time that are single values and the real parameters of these paths, those that are not
// 0. `rise`: 0.01 for 1 %. `lowered`: with its literals as definitions; its system is added to.
std::vector<Sensitivity> find_sensitivities(frontend::Lowered& lowered, const std::vector<std::string>& parameters,
                                            double rise, const MakeEngine& make_engine, const backend::Limits& limits);

}  // namespace wave::analysis
