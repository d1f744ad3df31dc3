// See machine_fit.h.
#include "analysis/machine_fit/machine_fit.h"

#include "analysis/machine_fit/builder.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::analysis::machine_fit {
namespace {

// A line with such a residual says little about its points.
constexpr double alarming = 0.25;

std::size_t sizes_of(const std::vector<TimedSize>& points) {
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || points[i].size != points[i - 1].size) ++sizes;
  }
  return sizes;
}

void report_too_few(const std::vector<TimedSize>& points, std::size_t segments, frontend::Diagnostics& diagnostics) {
  const std::size_t sizes = sizes_of(points);
  auto& d = diagnostics.add(frontend::DiagnosticKind::too_little_data, {},
                            segments <= 1 ? fmt::format("a line needs {} different sizes, and there {} {}",
                                                        fewest_sizes, sizes == 1 ? "is" : "are", sizes)
                                          : fmt::format("{} segments need {} different sizes, and there are {}",
                                                        segments, fewest_sizes * segments, sizes));
  if (sizes >= fewest_sizes && segments <= 1)
    d.message = "no line goes through three of the sizes: the times are all over the place";
  if (sizes >= fewest_sizes * segments && segments > 1)
    d.message = fmt::format("{} segments of three sizes each cannot be found in these times", segments);
  d.help.push_back("measure more sizes, such as every power of two from 1 B to 4 MiB");
}

bool check_assumptions(const MachineFit& fit, const FitOptions& options, bool measured,
                       frontend::Diagnostics& diagnostics) {
  for (const auto& one : options.assumptions) {
    const bool known =
        one.name == "L" || one.name == "o" || (fit.find(one.name) != nullptr && one.name.rfind("o_", 0) == 0);
    if (known && !measured) continue;
    auto& d = diagnostics.add(frontend::DiagnosticKind::too_little_data, one.location,
                              measured ? fmt::format("`{}` is assumed, but the overheads were measured", one.name)
                                       : fmt::format("`{}` is assumed, and there is no such parameter", one.name),
                              "assumed here");
    if (!measured) d.help.push_back("it can be `L`, `o`, or the overhead of a segment such as `o_1`");
    return false;
  }
  return true;
}

bool fit_messages(const Timings& timings, const Series& series, const FitOptions& options, MachineFit& fit,
                  frontend::Diagnostics& diagnostics) {
  fit.points = points_of(series);
  thin(fit.points, fit);
  SegmentOptions segments;
  segments.probability = options.probability;
  segments.noise = options.noise;
  segments.keep_outliers = options.keep_outliers;
  segments.segments =
      options.protocols.empty() ? options.segments : std::optional<std::size_t>(options.protocols.size());
  fit.latency = find_segments(fit.points, segments);
  if (!fit.latency) {
    report_too_few(fit.points, segments.segments.value_or(1), diagnostics);
    return false;
  }
  if (fit.latency->degrees_of_freedom < 1) {
    diagnostics
        .add(frontend::DiagnosticKind::too_little_data, {},
             "there are as many parameters as measurements: nothing is left that could say how well they fit")
        .help.push_back("measure more sizes");
    return false;
  }
  Builder builder(timings, options, fit, diagnostics);
  builder.set_aside("one message", *fit.latency, fit.points);
  builder.refuse_line_below_zero(fit.latency->segments.front(), "L", fit.points);
  if (diagnostics.has_errors()) return false;
  builder.choose_protocols();
  builder.set_thresholds();
  builder.set_byte_times();
  const bool measured = timings.find(BenchmarkMeasure::send_overhead) != nullptr &&
                        timings.find(BenchmarkMeasure::receive_overhead) != nullptr;
  if (measured)
    builder.use_overheads();
  else
    builder.separate_intercepts();
  if (diagnostics.has_errors()) return false;
  builder.set_gaps();
  builder.settle_steps();
  builder.refuse_negative();
  if (diagnostics.has_errors()) return false;
  return check_assumptions(fit, options, measured, diagnostics);
}

// Orders parameters as papers list them: latency, overheads, bytes, and then where segments end. Keeps intervals within
// the ranges of the parameters.
void settle_parameters(MachineFit& fit) {
  static const std::vector<std::string> order = {"L", "o", "O", "G", "step", "S", "g", "G_gap", "S_gap"};
  const auto rank = [](const MachineParameter& parameter) {
    std::size_t best = 0, longest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (parameter.name.rfind(order[i], 0) != 0 || order[i].size() < longest) continue;
      longest = order[i].size();
      best = i;
    }
    return best;
  };
  for (auto& one : fit.parameters) {
    one.lower = std::max(one.lower, 0.0);
  }
  std::stable_sort(fit.parameters.begin(), fit.parameters.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

// If many values are wild, they are no outliers, and the lines leave something out.
void note_outliers(const Segmentation& found, const std::vector<TimedSize>& points, std::string_view what,
                   MachineFit& fit) {
  constexpr double many = 0.2;
  for (const auto& segment : found.segments) {
    const double share =
        static_cast<double>(segment.outliers.size()) / static_cast<double>(segment.end - segment.begin);
    if (share <= many || segment.outliers.size() < 2) continue;
    fit.consistent = false;
    fit.notes.push_back(
        fmt::format("{} from {} to {} are outliers in {} of {} cases: there is more to them than a line", what,
                    size_text(points[segment.begin].size), size_text(points[segment.end - 1].size),
                    segment.outliers.size(), segment.end - segment.begin));
  }
}

// Some segments that were taken for a handshake have turned out to have none.
void name_byte_times(MachineFit& fit) {
  for (const auto& part : fit.parts) {
    for (auto& parameter : fit.parameters) {
      if (parameter.name == part.per_byte)
        parameter.meaning = part.protocol == ProtocolKind::eager ? "each byte" : "each byte, with a handshake";
    }
  }
}

// The errors of parameters that come from the same lines belong together. If each parameter is drawn by itself, a
// message becomes this many times as uncertain as it is.
double spread_apart(const MachineFit& fit, std::size_t k, double size) {
  const SegmentCosts& part = fit.parts[k];
  const bool handshake = part.protocol == ProtocolKind::rendezvous;
  std::map<std::string, double> factors;
  factors["L"] += handshake ? 3 : 1;
  for (const auto& name : {part.o_send, part.o_recv, part.step}) factors[name] += 1;
  if (handshake && fit.requests_cost_overhead) factors[fit.parts.front().o_send] += 3;
  for (const auto& name : {part.o_send_per_byte, part.o_recv_per_byte, part.per_byte}) factors[name] += size;
  if (const MachineParameter* const from = fit.find(part.step_from)) factors[part.per_byte] -= from->value;
  double apart = 0;
  for (const auto& [name, factor] : factors) {
    const MachineParameter* parameter = fit.find(name);
    if (parameter != nullptr) apart += factor * factor * parameter->standard_error * parameter->standard_error;
  }
  const double together = fit.latency->segments[k].variance_at(size);
  return together > 0 ? std::sqrt(apart / together) : 1;
}

void note_spread(MachineFit& fit) {
  constexpr double noticeable = 1.2;
  double worst = 1, at = 0;
  for (std::size_t k = 0; fit.latency && k < fit.parts.size(); ++k) {
    const Segment& segment = fit.latency->segments[k];
    for (std::size_t i = segment.begin; i < segment.end; ++i) {
      const double ratio = spread_apart(fit, k, fit.points[i].size);
      if (ratio <= worst) continue;
      worst = ratio;
      at = fit.points[i].size;
    }
  }
  if (worst < noticeable) return;
  fit.notes.push_back(
      fmt::format("the errors of the parameters belong together, since they come from the same lines: drawn one by one "
                  "(`wave run --samples`) "
                  "they make a message of {} {:.2g} times as uncertain as it is",
                  size_text(at), worst));
}

void note_residuals(MachineFit& fit) {
  if (fit.latency) note_outliers(*fit.latency, fit.points, "times of messages", fit);
  if (fit.gap) note_outliers(*fit.gap, fit.gap_points, "times between messages", fit);
  for (std::size_t k = 0; fit.latency && k < fit.latency->segments.size(); ++k) {
    const Segment& segment = fit.latency->segments[k];
    if (segment.largest > alarming) {
      fit.consistent = false;
      fit.notes.push_back(
          fmt::format("some times are {:.0f} % off the line from {} to {}: it is a poor description of them",
                      100 * segment.largest, size_text(fit.parts[k].from), size_text(fit.parts[k].to)));
    }
    if (segment.short_of_points) {
      fit.notes.push_back(
          fmt::format("from {} to {} there are so few sizes that those at its borders are used, too: the intervals are "
                      "somewhat too narrow",
                      size_text(fit.parts[k].from), size_text(fit.parts[k].to)));
    }
  }
  for (const auto& one : fit.collectives) {
    if (one.largest <= alarming) continue;
    fit.consistent = false;
    fit.notes.push_back(
        fmt::format("{}: a time is {:.0f} % off the formula, at {} on {} processes; the algorithm may change with the "
                    "size: fit parts of it with `--sizes`",
                    one.operation, 100 * one.largest, size_text(one.largest_at_size), one.largest_at_processes));
  }
}

}  // namespace

std::string_view name_of(ProtocolKind protocol) { return protocol == ProtocolKind::eager ? "eager" : "rendezvous"; }

const MachineParameter* MachineFit::find(const std::string& name) const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& one) { return one.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

std::optional<MachineFit> fit_machine(const Timings& timings, const FitOptions& options,
                                      frontend::Diagnostics& diagnostics) {
  MachineFit fit;
  fit.probability = options.probability;
  fit.noise = options.noise;
  const Series* latency = timings.find(BenchmarkMeasure::latency);
  const bool collective = timings.find(BenchmarkMeasure::collective) != nullptr;
  if (latency == nullptr && !collective) {
    auto& d = diagnostics.add(frontend::DiagnosticKind::too_little_data, {}, "there are no times of single messages");
    d.notes.push_back("from bandwidths alone follows the gap between messages, but neither latency nor overhead");
    d.help.push_back("give the results of a ping-pong as well: `osu_latency`, PingPong of IMB-MPI1");
    return std::nullopt;
  }
  if (latency != nullptr && !fit_messages(timings, *latency, options, fit, diagnostics)) return std::nullopt;
  for (const auto& one : timings.series) {
    if (one.measure != BenchmarkMeasure::collective || one.samples.empty()) continue;
    // A run of all benchmarks on a few processes has every collective operation, even if the user only wants messages.
    frontend::Diagnostics found_of_one;
    auto found = fit_collective(one, options.probability, latency != nullptr ? found_of_one : diagnostics);
    if (found) {
      fit.wild.insert(fit.wild.end(), found->wild.begin(), found->wild.end());
      fit.collectives.push_back(std::move(*found));
    } else if (latency == nullptr) {
      return std::nullopt;
    } else {
      fit.notes.push_back(fmt::format("`{}` is left out: {}", one.operation, found_of_one.all().front().message));
    }
  }
  note_residuals(fit);
  note_spread(fit);
  name_byte_times(fit);
  settle_parameters(fit);
  return fit;
}

}  // namespace wave::analysis::machine_fit
