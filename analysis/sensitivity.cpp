// See sensitivity.h.
#include "analysis/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::analysis {

namespace {

class RangeSearch {
 public:
  RangeSearch(backend::Engine& engine, const backend::Limits& limits, const Sensitivity& of)
      : engine_(engine), limits_(limits), of_(of) {}

  // The derivative by differences. If the slopes below the value and above it come to be the same as steps get smaller,
  // it is that. If each comes to be one of its own, as at a kink, it is the one above.
  std::optional<double> slope() {
    constexpr int steps = 11;
    if (of_.value == 0) return slope_from_zero();
    double change = std::fabs(of_.value) * 0x1p-6;
    std::optional<double> last_up, last_down;
    for (int i = 0; i < steps && !failure; ++i, change /= 4) {
      const auto up = slope_to(change), down = slope_to(-change);
      if (up && down && is_same(*up, *down, change)) return (*up + *down) / 2;
      if (up && last_up && is_same(*up, *last_up, change)) return up;
      if (!up && down && last_down && is_same(*down, *last_down, change)) return down;
      last_up = up;
      last_down = down;
    }
    return std::nullopt;
  }

  // How far the parameter may grow until the output is above `limit`: by doubling, from where a straight line would
  // cross it, and then by halving.
  std::optional<double> growth_within(double limit, double first) {
    constexpr int halvings = 40;
    return last_change(1, first, halvings, [&](double output, double) { return output <= limit; });
  }

  // How far it may change in that direction while the output is on the line.
  std::optional<double> straight(double direction, double slope) {
    constexpr double least_change = 1e-6, rounding = 1e-9;
    constexpr int halvings = 24;
    const double tolerance = rounding * std::fabs(of_.total) + least_rise(), first = size() * least_change;
    const auto change = last_change(direction, first, halvings, [&](double output, double change) {
      return std::fabs(output - (of_.total + slope * change)) <= tolerance;
    });
    return change && *change < first ? 0 : change;  // smaller ones cannot be told from rounding
  }

  // What changes are measured by: the value, or what would change the output as much as itself.
  double size() const {
    if (of_.value != 0 || !of_.derivative || *of_.derivative == 0) return std::fabs(of_.value);
    return std::fabs(of_.total / *of_.derivative);
  }

  std::optional<ir::Failure> failure;

 private:
  template <class Holds>
  std::optional<double> last_change(double direction, double first, int halvings, const Holds& holds) {
    const bool may_grow = direction > 0 || of_.value < 0;  // otherwise it goes to 0
    const double furthest = may_grow ? size() * furthest_growth : std::fabs(of_.value);
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

  std::optional<double> slope_to(double change) {
    const auto output = output_at(change);
    return output ? std::optional((*output - of_.total) / change) : std::nullopt;
  }

  bool is_same(double slope, double other, double change) const {
    constexpr double close = 1e-6, rounding = 0x1p-48;
    const double noise = rounding * std::fabs(of_.total) / change;
    return std::fabs(slope - other) <= close * std::max(std::fabs(slope), std::fabs(other)) + noise;
  }

  // Upwards alone, from a change that is just seen: a number that is 0 may have no values below.
  std::optional<double> slope_from_zero() {
    constexpr double smallest = 0x1p-40, largest = 0x1p60, close = 1e-4;
    const double rounding = least_rise(), seen = of_.total == 0 ? rounding * 0x1p20 : 1e-6 * std::fabs(of_.total);
    std::optional<double> last;
    for (double change = smallest; change <= largest && !failure; change *= 16) {
      const auto slope = slope_to(change);
      if (!slope) break;
      const double rise = std::fabs(*slope * change);
      last = rise <= rounding ? 0 : last;
      if (rise <= rounding) continue;
      if (rise >= seen || rounding > 0) {
        const auto half = slope_to(change / 2);
        const bool is_bend = half && std::fabs(*slope - *half) <= close * std::fabs(*half) + rounding / change;
        if (!is_bend) return last;  // it was straight before that
        if (rise >= seen) return 2 * *half - *slope;
      }
      last = slope;
    }
    return failure ? std::nullopt : last;
  }

  // What an output that is 0 may rise by because weights are rounded to the quantum: a hundredth of a picosecond, or
  // what is as little of a ratio. It is too little for a kink.
  double least_rise() const {
    if (of_.total != 0) return 0;
    const auto& type = std::get<frontend::types::Real>(of_.output->columns[0].type->kind);
    return type.dimension == frontend::Dimension{1, 0, 0} ? 0x1p-7 : 1e-9;
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

void find_where_straight(RangeSearch& search, Sensitivity& one) {
  one.straight_down = search.straight(-1, *one.derivative);
  one.straight_up = search.straight(1, *one.derivative);
}

// Along the path that was found, it may hold to neither side: more than two paths are as long, or what takes no time
// and is on none takes some as soon as the parameter changes.
void find_where_it_holds(RangeSearch& search, Sensitivity& one) {
  find_where_straight(search, one);
  if (one.straight_down != 0.0 || one.straight_up != 0.0) return;
  constexpr double digits = 1e-5;  // of slopes found by differences
  const auto slope = search.slope();
  if (!slope || std::fabs(*slope - *one.derivative) <= digits * std::fabs(*one.derivative)) return;
  one.derivative = slope;
  find_where_straight(search, one);
}

void search_ranges(backend::Engine& engine, const backend::Limits& limits, double rise, Sensitivity& one) {
  RangeSearch search(engine, limits, one);
  if (!one.derivative && !one.is_endless) one.derivative = search.slope();
  if (search.size() != 0 && !search.failure && one.derivative) find_where_it_holds(search, one);
  if (search.size() != 0 && !search.failure) {
    const double slope = one.derivative.value_or(0), risen = std::fabs(one.total) * rise;
    one.growth = search.growth_within(one.total + risen, slope > 0 ? risen / slope : search.size() * rise);
  }
  one.failure = search.failure;
}

}  // namespace

std::vector<Sensitivity> find_sensitivities(frontend::Lowered& lowered, const std::vector<std::string>& parameters,
                                            double rise, const MakeEngine& make_engine, const backend::Limits& limits) {
  std::vector<const frontend::ParameterInfo*> asked;
  std::vector<ir::DefinitionId> definitions;
  for (const auto& parameter : lowered.parameters) {
    const bool is_asked = std::find(parameters.begin(), parameters.end(), parameter.path) != parameters.end();
    if (!is_asked || !parameter.definition.valid()) continue;
    if (lowered.system[parameter.definition].type != ir::ScalarType::real) continue;
    asked.push_back(&parameter);
    definitions.push_back(parameter.definition);
  }
  std::vector<Sensitivity> found;
  if (asked.empty()) return found;
  const auto derivatives = find_derivatives(lowered, definitions, make_engine, limits);
  const auto engine = make_engine(lowered.system);
  if (!engine) return found;
  const auto evaluation = engine->start({}, limits);
  for (const Derivatives& of : derivatives) {
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Sensitivity one;
      one.output = of.output;
      one.parameter = asked[i];
      one.total = of.total;
      one.failure = of.failure;
      one.derivative = of.by[i].value;
      one.why_not = of.by[i].why;
      one.where = of.by[i].location;
      one.is_endless = of.by[i].is_endless;
      const auto value = evaluation->evaluate(definitions[i]);
      if (const auto* rows = std::get_if<backend::Rows>(&value)) one.value = rows->cells.at(0).real;
      if (!one.failure) search_ranges(*engine, limits, rise, one);
      found.push_back(std::move(one));
    }
  }
  return found;
}

}  // namespace wave::analysis
