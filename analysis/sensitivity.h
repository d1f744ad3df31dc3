// Tells how an output responds to a parameter: its derivative, as far as which change of the parameter the output
// follows it, and how far the parameter may grow until the output has risen by a given part. The last two are found by
// repeated evaluation: thresholds make outputs jump, other paths become critical, and resources serve in another order.
#pragma once

#include "analysis/derivatives.h"

namespace wave::analysis {

struct Sensitivity {
  const frontend::OutputInfo* output = nullptr;
  const frontend::ParameterInfo* parameter = nullptr;
  double value = 0;                  // of the parameter, in ps, bytes, ...
  double total = 0;                  // of the output
  std::optional<double> derivative;  // in such units
  std::string why_not;               // it is not exact, but found by differences, or not at all
  Location where;
  bool is_endless = false;  // there is none, because it has no bounds
  // The largest growth that was found to keep the output within the limit, just below one that does not. None if the
  // output stays within the limit as far as was looked, up to `furthest_growth` times the value.
  std::optional<double> growth;
  // By how much the parameter may shrink and grow while the output follows the derivative. None: there is no
  // derivative, or no end was found, up to 0 and to `furthest_growth` times the value.
  std::optional<double> straight_down, straight_up;
  std::optional<ir::Failure> failure;
};

inline constexpr double furthest_growth = 1e6;

// The sensitivities of the outputs that are single real values to the real parameters with these paths. A `rise` of
// 0.01 is 1 %. `lowered` has its literals as definitions, and its system is added to.
std::vector<Sensitivity> find_sensitivities(frontend::Lowered& lowered, const std::vector<std::string>& parameters,
                                            double rise, const MakeEngine& make_engine, const backend::Limits& limits);

}  // namespace wave::analysis
