// See sensitivity.h.
#include "analysis/sensitivity.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {

namespace {

constexpr int halvings = 40;

class Growth {
 public:
  Growth(backend::Engine& engine, const backend::Limits& limits, const Sensitivity& of, double limit)
      : engine_(engine), limits_(limits), of_(of), limit_(limit) {}

  // Finds the growth by doubling, from where a straight line would cross the limit, and then by halving.
  std::optional<double> find(double first) {
    const double furthest = std::fabs(of_.value) * furthest_growth;
    double low = 0, high = std::clamp(first, furthest * 1e-12, furthest);
    while (stays_within(high)) {
      if (failure || high >= furthest) return std::nullopt;
      low = high;
      high = std::min(2 * high, furthest);
    }
    for (int i = 0; i < halvings && !failure; ++i) {
      const double middle = low + (high - low) / 2;
      (stays_within(middle) ? low : high) = middle;
    }
    return low;
  }

  std::optional<ir::Failure> failure;

 private:
  bool stays_within(double growth) {
    const backend::Binding binding{of_.parameter->definition, ir::Scalar::of(of_.value + growth)};
    const auto outcome = engine_.start({binding}, limits_)->evaluate(of_.output->root);
    if (const auto* failed = std::get_if<ir::Failure>(&outcome)) {
      if (failed->is_limit()) failure = *failed;
      return false;  // it may not grow so far: it would leave its range, say
    }
    return std::get<backend::Rows>(outcome).cells.at(0).real <= limit_;
  }

  backend::Engine& engine_;
  const backend::Limits& limits_;
  const Sensitivity& of_;
  double limit_;
};

}  // namespace

std::vector<Sensitivity> find_sensitivities(frontend::Lowered& lowered, const std::vector<std::string>& parameters,
                                            double rise, const MakeEngine& make_engine, const backend::Limits& limits) {
  std::vector<Sensitivity> found;
  const auto breakdowns = break_down(lowered, make_engine, limits, parameters);
  const auto engine = make_engine(lowered.system);
  if (!engine) return found;
  const auto evaluation = engine->start({}, limits);
  for (const Breakdown& breakdown : breakdowns) {
    if (breakdown.output->is_breakdown) continue;
    // What is not taken apart may hide the parameter.
    const bool is_whole = std::none_of(breakdown.shares.begin(), breakdown.shares.end(),
                                       [](const Share& share) { return share.of.kind == Input::Kind::process; });
    for (const auto& parameter : lowered.parameters) {
      const bool is_asked = std::find(parameters.begin(), parameters.end(), parameter.path) != parameters.end();
      if (!is_asked || !parameter.definition.valid()) continue;
      if (lowered.system[parameter.definition].type != ir::ScalarType::real) continue;
      Sensitivity one;
      one.output = breakdown.output;
      one.parameter = &parameter;
      one.failure = breakdown.failure;
      const auto value = evaluation->evaluate(parameter.definition);
      if (const auto* rows = std::get_if<backend::Rows>(&value)) one.value = rows->cells.at(0).real;
      if (!breakdown.failure && breakdown.why_not.empty() && is_whole) one.derivative = 0;
      for (const Share& share : breakdown.shares) {
        if (is_whole && share.of.definition == parameter.definition) one.derivative = share.derivative;
      }
      if (!one.failure && one.value != 0) {
        Growth growth(*engine, limits, one, breakdown.total * (1 + rise));
        const double slope = one.derivative.value_or(0);
        one.growth = growth.find(slope > 0 ? breakdown.total * rise / slope : std::fabs(one.value) * rise);
        one.failure = growth.failure;
      }
      found.push_back(std::move(one));
    }
  }
  return found;
}

}  // namespace wave::analysis
