// See sensitivity.h.
#include "analysis/sensitivity.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {

namespace {

class RangeSearch {
 public:
  RangeSearch(backend::Engine& engine, const backend::Limits& limits, const Sensitivity& of)
      : engine_(engine), limits_(limits), of_(of) {}

  // How far the parameter may grow until the output is above `limit`: by doubling, from where a straight line would
  // cross it, and then by halving.
  std::optional<double> growth_within(double limit, double first) {
    constexpr int halvings = 40;
    return last_change(1, first, halvings, [&](double output, double) { return output <= limit; });
  }

  // How far it may change in that direction while the output is on the line.
  std::optional<double> straight(double direction, double total, double slope) {
    constexpr double least_change = 1e-6, rounding = 1e-9;
    constexpr int halvings = 24;
    const double tolerance = rounding * std::fabs(total), first = std::fabs(of_.value) * least_change;
    const auto change = last_change(direction, first, halvings, [&](double output, double change) {
      return std::fabs(output - (total + slope * change)) <= tolerance;
    });
    return change && *change < first ? 0 : change;  // smaller ones cannot be told from rounding
  }

  std::optional<ir::Failure> failure;

 private:
  template <class Holds>
  std::optional<double> last_change(double direction, double first, int halvings, const Holds& holds) {
    const bool may_grow = direction > 0 || of_.value < 0;  // otherwise it goes to 0
    const double furthest = std::fabs(of_.value) * (may_grow ? furthest_growth : 1);
    const auto holds_at = [&](double change) {
      const auto output = output_at(direction * change);
      return output && holds(*output, direction * change);
    };
    double low = 0, high = std::clamp(first, furthest * 1e-12, furthest);
    while (holds_at(high)) {
      if (failure || high >= furthest) return std::nullopt;
      low = high;
      high = std::min(2 * high, furthest);
    }
    for (int i = 0; i < halvings && !failure; ++i) {
      const double middle = low + (high - low) / 2;
      (holds_at(middle) ? low : high) = middle;
    }
    return low;
  }

  std::optional<double> output_at(double change) {
    const backend::Binding binding{of_.parameter->definition, ir::Scalar::of(of_.value + change)};
    const auto outcome = engine_.start({binding}, limits_)->evaluate(of_.output->root);
    if (const auto* failed = std::get_if<ir::Failure>(&outcome)) {
      if (failed->is_limit()) failure = *failed;
      return std::nullopt;  // it may not change so far: it would leave its range, say
    }
    return std::get<backend::Rows>(outcome).cells.at(0).real;
  }

  backend::Engine& engine_;
  const backend::Limits& limits_;
  const Sensitivity& of_;
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
        RangeSearch search(*engine, limits, one);
        const double slope = one.derivative.value_or(0), total = breakdown.total;
        one.growth =
            search.growth_within(total * (1 + rise), slope > 0 ? total * rise / slope : std::fabs(one.value) * rise);
        if (one.derivative) {
          one.straight_down = search.straight(-1, total, slope);
          one.straight_up = search.straight(1, total, slope);
        }
        one.failure = search.failure;
      }
      found.push_back(std::move(one));
    }
  }
  return found;
}

}  // namespace wave::analysis
