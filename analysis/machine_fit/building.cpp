// See building.h.
#include "analysis/machine_fit/building.h"

#include "analysis/machine_fit/populations.h"
#include "analysis/machine_fit/regression.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

// With more points, cutting takes longer than it gains. Then every k-th point is taken.
constexpr std::size_t most_points = 1000;

constexpr std::string_view given_for_the_fit = "an assumption, given for the fit";

constexpr std::array<const char*, 7> ordinals = {"first", "second", "third", "fourth", "fifth", "sixth", "next"};

}  // namespace

std::string size_text(double size) {
  constexpr double kib = 1024;
  if (size >= kib * kib && std::fmod(size, kib * kib) == 0) return fmt::format("{} MiB", size / (kib * kib));
  if (size >= kib && std::fmod(size, kib) == 0) return fmt::format("{} KiB", size / kib);
  return fmt::format("{} B", size);
}

std::string time_text(const Combination& sum, double probability) {
  // Two digits of the uncertainty. Further digits mean nothing.
  const int decimals =
      std::clamp(1 - static_cast<int>(std::floor(std::log10(std::max(sum.standard_error, 1e-12)))), 0, 12);
  return fmt::format("{:.{}f} us ± {:.{}f} us, with {:g} % {:.{}f} to {:.{}f} us", sum.value, decimals,
                     sum.standard_error, decimals, 100 * probability, sum.lower, decimals, sum.upper, decimals);
}

std::string percent_text(double share) {
  if (share < 1e-9) return "0 %";
  return share < 1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string noise_text(const Segmentation& found, Noise noise) {
  if (noise == Noise::constant) return fmt::format("{:.2g} us", found.deviation);
  return percent_text(found.deviation) + " of a time";
}

std::vector<TimedSize> points_of(const Series& series) {
  std::vector<TimedSize> points;
  points.reserve(series.samples.size());
  for (const auto& sample : series.samples) points.push_back({sample.size, sample.time, sample.resolution});
  std::stable_sort(points.begin(), points.end(),
                   [](const TimedSize& a, const TimedSize& b) { return a.size < b.size; });
  return points;
}

void thin(std::vector<TimedSize>& points, MachineFit& fit) {
  if (points.size() <= most_points) return;
  const std::size_t stride = (points.size() + most_points - 1) / most_points;
  fit.notes.push_back(fmt::format("of {} measured times every {}th is used", points.size(), stride));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); i += stride) points[kept++] = points[i];
  points.resize(kept);
}

std::vector<TimedSize> points_between(const Series& series, double from, double to) {
  std::vector<TimedSize> points = points_of(series);
  std::erase_if(points, [&](const TimedSize& point) { return point.size < from || point.size > to; });
  return points;
}

std::string range_text(const std::vector<TimedSize>& points, const Segment& segment) {
  std::size_t sizes = 0;
  for (std::size_t i = segment.begin; i < segment.end; ++i) {
    if (i == segment.begin || points[i].size != points[i - 1].size) ++sizes;
  }
  return fmt::format("{} sizes, {} to {}", sizes, size_text(points[segment.begin].size),
                     size_text(points[segment.end - 1].size));
}

std::string Builder::numbered(const std::string& name, std::size_t k) const {
  return count() == 1 ? name : fmt::format("{}_{}", name, k + 1);
}

std::string Builder::origin(std::size_t k) const { return "fitted to " + range_text(fit_.points, segment(k)); }

MachineParameter& Builder::add(MachineParameter parameter) {
  fit_.parameters.push_back(std::move(parameter));
  return fit_.parameters.back();
}

MachineParameter Builder::fitted(std::string name, ParameterUnit dimension, double value, double error,
                                 std::string meaning, std::string origin) const {
  const double half = error > 0 ? interval_factor(options_.probability, fit_.latency->degrees_of_freedom) * error : 0;
  MachineParameter parameter{std::move(name),    dimension,         value, error, value - half, value + half,
                             std::move(meaning), std::move(origin), false, false};
  return parameter;
}

std::optional<double> Builder::assumption(const std::string& name) const {
  for (const auto& one : options_.assumptions) {
    if (one.name == name) return one.value;
  }
  return std::nullopt;
}

// A handshake is taken to begin where the time jumps up the most, if the jump is beyond doubt. All segments from there
// on have it.
void Builder::choose_protocols() {
  std::size_t first = count();
  double largest = 0;
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  for (std::size_t k = 0; k + 1 < count() && options_.protocols.empty(); ++k) {
    const double size = fit_.latency->thresholds[k].above;
    const Segment& low = segment(k);
    const Segment& high = segment(k + 1);
    const auto variance = [&](const Segment& one) {
      return one.standard_error.at_zero * one.standard_error.at_zero + 2 * size * one.covariance +
             size * size * one.standard_error.per_byte * one.standard_error.per_byte;
    };
    const double before = low.line.at(size), jump = high.line.at(size) - before;
    if (jump <= factor * std::sqrt(variance(low) + variance(high)) || jump / before <= largest) continue;
    largest = jump / before;
    first = k + 1;
  }
  for (std::size_t k = 0; k < count(); ++k) {
    SegmentCosts part;
    part.from = fit_.points[segment(k).begin].size;
    part.to = fit_.points[segment(k).end - 1].size;
    if (options_.protocols.empty())
      part.protocol = k >= first ? ProtocolKind::rendezvous : ProtocolKind::eager;
    else
      part.protocol = options_.protocols[k];
    fit_.parts.push_back(part);
  }
}

void Builder::set_thresholds() {
  for (std::size_t k = 0; k + 1 < count(); ++k) {
    const Threshold& threshold = fit_.latency->thresholds[k];
    std::string origin = fmt::format("{} and {} were measured, on either side of it", size_text(threshold.below),
                                     size_text(threshold.above));
    if (threshold.lowest < threshold.below || threshold.highest > threshold.above) {
      origin += fmt::format("; with {:g} % it is from {} to below {}", 100 * options_.probability,
                            size_text(threshold.lowest), size_text(threshold.highest));
    }
    const std::string name = count() == 2 ? std::string("S") : fmt::format("S_{}", k + 1);
    fit_.parts[k].threshold = name;
    add({name, ParameterUnit::size, threshold.below, 0, threshold.lowest, threshold.highest,
         fmt::format("the largest message of the {} segment", ordinals[std::min(k, ordinals.size() - 1)]), origin,
         false, false});
  }
}

void Builder::set_byte_times() {
  for (std::size_t k = 0; k < count(); ++k) {
    const Segment& one = segment(k);
    MachineParameter parameter = fitted(numbered("G", k), ParameterUnit::time_per_byte, one.line.per_byte,
                                        one.standard_error.per_byte, "each byte", origin(k));
    parameter.lower = std::max(one.lower.per_byte, 0.0);
    parameter.upper = std::max(one.upper.per_byte, 0.0);
    if (one.flat) parameter.origin += "; the slope was not positive, so it is 0";
    fit_.parts[k].per_byte = parameter.name;
    add(std::move(parameter));
  }
}

void Builder::step_of(std::size_t k, double value, double error) {
  if (k == 0 && value == 0) return;
  MachineParameter parameter =
      fitted(numbered("step", k), ParameterUnit::time, value, error, "beside the latency", origin(k));
  parameter.may_be_negative = true;
  fit_.parts[k].step = parameter.name;
  add(std::move(parameter));
}

// Whether the time that is left for the data of a rendezvous, after three latencies and the overheads, is at least
// zero.
bool Builder::fits_rendezvous(std::size_t k, double latency, double overheads) const {
  const double step = segment(k).line.at_zero - 3 * latency - overheads;
  return latency + step + segment(k).line.per_byte * fit_.parts[k].from >= 0;
}

bool Builder::assumes(const std::vector<std::string>& names) const {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return assumption(name).has_value(); });
}

void Builder::refuse_assumptions(std::string message, const std::vector<std::string>& names) {
  frontend::Diagnostic* refusal = nullptr;
  for (const auto& one : options_.assumptions) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) continue;
    if (refusal == nullptr) {
      refusal = &diagnostics_.add(frontend::DiagnosticKind::too_little_data, one.place, message, "assumed here");
    } else {
      refusal->labels.push_back({one.place, "and here"});
    }
  }
  for (const auto& known : fit_.known)
    refusal->notes.push_back(fmt::format("the times say: {} = {}", known.sum, time_text(known, options_.probability)));
  refusal->help.push_back("assume less, or nothing: the latency then contains the overheads");
}

// One overhead for all messages, that is chosen and not fitted; the rest is latency, unless that is assumed, too.
void Builder::all_in_latency(double overhead, bool assumed) {
  const Line& line = segment(0).line;
  const double half =
      interval_factor(options_.probability, fit_.latency->degrees_of_freedom) * segment(0).standard_error.at_zero;
  if (assumed && 2 * overhead > line.at_zero + half) {
    return refuse_assumptions(
        fmt::format("an overhead of {:.6g} us at both ends is more than the {:.6g} us that an empty message takes",
                    overhead, line.at_zero),
        {"o"});
  }
  if (line.at_zero < 0) {
    fit_.notes.push_back(
        fmt::format("the first line is {:.6g} us at size 0, which no latency can be: it is set to 0", line.at_zero));
  }
  const auto given = assumed ? assumption("L") : std::nullopt;
  const double latency = given.value_or(std::max(line.at_zero - 2 * overhead, 0.0));
  const double error = given ? 0 : segment(0).standard_error.at_zero;
  const std::string origin = assumed ? std::string(given_for_the_fit)
                                     : "a choice: the data do not tell it from L, which contains both overheads";
  add({"o", ParameterUnit::time, overhead, 0, overhead, overhead, "overhead at either end", origin, true, false});
  add(fitted("L", ParameterUnit::time, latency, error,
             assumed || overhead > 0 ? "latency" : "latency, with the overheads of both ends",
             given ? std::string(given_for_the_fit) : this->origin(0)));
  fit_.parameters.back().assumed = given.has_value();
  if (given && std::abs(line.at_zero - latency - 2 * overhead) > half) {
    note_step("2 o + L", latency + 2 * overhead, segment(0));
    step_of(0, line.at_zero - latency - 2 * overhead, segment(0).standard_error.at_zero);
  }
  for (std::size_t k = 0; k < count(); ++k) {
    SegmentCosts& part = fit_.parts[k];
    part.o_send = part.o_recv = "o";
    if (part.protocol == ProtocolKind::rendezvous && !fits_rendezvous(k, latency, 2 * overhead)) {
      fit_.notes.push_back(fmt::format(
          "messages from {} on take too little time for the three latencies of a handshake: they are taken for eager",
          size_text(part.from)));
      part.protocol = ProtocolKind::eager;
    }
    const double latencies = part.protocol == ProtocolKind::eager ? 1 : 3;
    if (k > 0 || part.protocol == ProtocolKind::rendezvous) {
      const double se = segment(k).standard_error.at_zero;
      step_of(k, segment(k).line.at_zero - latencies * latency - 2 * overhead, std::hypot(se, latencies * error));
    }
  }
}

void Builder::note_step(const std::string& sum, double expected, const Segment& segment) {
  fit_.notes.push_back(
      fmt::format("with what is assumed {} would be {:.6g} us, and the line of {} to {} says {:.6g} us: a step beside "
                  "the latency makes up for it",
                  sum, expected, size_text(fit_.points[segment.begin].size),
                  size_text(fit_.points[segment.end - 1].size), segment.line.at_zero));
}

// A value that is negative by no more than its error becomes zero. If an assumption contradicts the guess that there is
// a handshake, the assumption wins.
Separation Builder::separate_with_assumptions(const std::vector<Intercept>& intercepts,
                                              std::vector<ProtocolKind>& protocols) {
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  const auto attempt = [&] {
    Separation found = separate(intercepts, protocols, options_.assumptions, true);
    if (!found.all_determined || !assumes(found.names)) return found;
    for (std::size_t i = 0; i < found.names.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      if (const auto given = assumption(found.names[i])) found.values[at] = *given;
      const double half = factor * std::sqrt(found.covariance(at, at));
      if (found.values[at] < 0 && found.values[at] >= -half) found.values[at] = 0;
    }
    return found;
  };
  Separation found = attempt();
  const bool guessed = options_.protocols.empty() && protocols.back() == ProtocolKind::rendezvous;
  if (!guessed || !found.all_determined || assumption("o") || !assumes(found.names)) return found;
  bool fits = found.plausible();
  for (std::size_t k = 0; k < count(); ++k) {
    const double rest = intercepts[k].value - found.rows.row(static_cast<Eigen::Index>(k)).dot(found.values);
    fits = fits && std::abs(rest) <= factor * intercepts[k].standard_error;
  }
  if (fits) return found;
  const auto before = protocols;
  std::fill(protocols.begin(), protocols.end(), ProtocolKind::eager);
  Separation eager = attempt();
  if (!eager.plausible()) {
    protocols = before;
    return found;
  }
  fit_.notes.push_back("with what is assumed, no messages can be taken to wait for their receiver");
  for (auto& part : fit_.parts) part.protocol = ProtocolKind::eager;
  return eager;
}

void Builder::keep_lines(const Separation& found) {
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  for (std::size_t k = 0; k < count(); ++k) {
    const Eigen::RowVectorXd row = found.rows.row(static_cast<Eigen::Index>(k));
    const double expected = row.dot(found.values), error = segment(k).standard_error.at_zero;
    const double rest = segment(k).line.at_zero - expected;
    if (std::abs(rest) <= factor * error) continue;
    // What is left of the way cannot be negative.
    if (found.values[0] + rest + segment(k).line.per_byte * fit_.parts[k].from < -factor * error) {
      return refuse_assumptions(
          fmt::format("with what is assumed {} would be {:.6g} us, and the line of {} to {} says {:.6g} us",
                      sum_of(row, found.names), expected, size_text(fit_.parts[k].from), size_text(fit_.parts[k].to),
                      segment(k).line.at_zero),
          found.names);
    }
    note_step(sum_of(row, found.names), expected, segment(k));
    step_of(k, rest, std::hypot(error, std::sqrt(std::max(row.dot(found.covariance * row.transpose()), 0.0))));
  }
}

void Builder::separate_intercepts() {
  std::vector<Intercept> intercepts;
  std::vector<ProtocolKind> protocols;
  for (std::size_t k = 0; k < count(); ++k) {
    intercepts.push_back({segment(k).line.at_zero, segment(k).standard_error.at_zero});
    protocols.push_back(fit_.parts[k].protocol);
  }
  const Separation found = separate_with_assumptions(intercepts, protocols);
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  for (std::size_t k = 0; k < count(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double half = factor * intercepts[k].standard_error;
    fit_.known.push_back({sum_of(found.rows.row(row), found.names), intercepts[k].value, intercepts[k].standard_error,
                          intercepts[k].value - half, intercepts[k].value + half});
  }
  // One overhead for several lines: the first gives the latency, and steps do the rest.
  if (!found.plausible() || (assumption("o") && count() > 1)) {
    const auto o = assumption("o");
    const bool decides = assumes(found.names);
    if (found.all_determined && !found.plausible()) {
      std::string values;
      for (std::size_t i = 0; i < found.names.size(); ++i) {
        values += fmt::format("{}{} = {:.4g} us", i == 0 ? "" : ", ", found.names[i],
                              found.values[static_cast<Eigen::Index>(i)]);
      }
      if (!o && decides) return refuse_assumptions("with what is assumed the times would need " + values, found.names);
      fit_.notes.push_back(
          fmt::format("the segments would need {}: that cannot be, so their overheads are not told apart", values));
    }
    if (!o && !options_.assumptions.empty() && !found.all_determined) {
      fit_.notes.push_back("what is assumed does not suffice to tell the other parameters apart, and is not used");
    }
    if (!o) {
      for (std::size_t i = 0; i < found.names.size(); ++i) fit_.undetermined.push_back(found.names[i]);
      // The sums that hold without the guess that the segments are of different protocols.
      if (found.all_determined)
        fit_.known = {
            {"2 o + L", intercepts[0].value, intercepts[0].standard_error, fit_.known[0].lower, fit_.known[0].upper}};
      if (found.all_determined) fit_.undetermined = {"L", "o"};
    }
    return all_in_latency(o.value_or(0), o.has_value());
  }
  const bool guessed = std::count(protocols.begin(), protocols.end(), ProtocolKind::rendezvous) > 0;
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    const std::string& name = found.names[i];
    const auto at = static_cast<Eigen::Index>(i);
    if (const auto given = assumption(name)) {
      add({name, ParameterUnit::time, *given, 0, *given, *given, i == 0 ? "latency" : "overhead at either end",
           std::string(given_for_the_fit), true, false});
      continue;
    }
    const double error = std::sqrt(found.covariance(at, at));
    MachineParameter parameter =
        fitted(name, ParameterUnit::time, found.values[at], error, i == 0 ? "latency" : "overhead at either end",
               guessed ? "from all lines at size 0, if the last ones do a handshake" : "from the lines at size 0");
    parameter.lower = std::max(parameter.lower, 0.0);
    add(std::move(parameter));
  }
  if (guessed) {
    fit_.requests_cost_overhead = true;
    if (options_.protocols.empty()) {
      const std::size_t first = static_cast<std::size_t>(
          std::find(protocols.begin(), protocols.end(), ProtocolKind::rendezvous) - protocols.begin());
      fit_.notes.push_back(
          fmt::format("messages from {} on are taken to wait for their receiver, since the time jumps there; handling "
                      "a request then costs "
                      "the overhead of a small message (PPoPP'99, eq (4)), which tells L from o",
                      size_text(fit_.parts[first].from)));
    }
  }
  for (std::size_t k = 0; k < count(); ++k) fit_.parts[k].o_send = fit_.parts[k].o_recv = found.overheads[k];
  if (assumes(found.names)) keep_lines(found);
}

}  // namespace wave::analysis::machine_fit
