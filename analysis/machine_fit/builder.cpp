// See builder.h.
#include "analysis/machine_fit/builder.h"

#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/timings.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

// With more points, cutting them takes longer than it is worth. Then every k-th point is taken.
constexpr std::size_t most_points = 1000;

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
  for (const auto& sample : series.samples)
    points.push_back({sample.size, sample.time, sample.resolution, sample.location});
  std::stable_sort(points.begin(), points.end(),
                   [](const TimedSize& a, const TimedSize& b) { return a.size < b.size; });
  return points;
}

std::vector<TimedSize> gaps_of(const Series& series, const std::function<double(double size)>& total_at) {
  Series gaps = series;
  std::erase_if(gaps.samples, [](const Sample& one) { return one.window == 1; });  // there is no next message
  std::stable_sort(gaps.samples.begin(), gaps.samples.end(),
                   [](const Sample& a, const Sample& b) { return a.size < b.size; });
  std::vector<TimedSize> points = points_of(gaps);
  for (std::size_t i = 0; i < points.size(); ++i) {
    TimedSize& point = points[i];
    if (gaps.samples[i].window < 2) continue;
    point.share = WindowShare(gaps.samples[i].window, total_at(point.size), total_at(answer_size));
    point.time = point.share.gap_of(point.time);
    point.resolution *= point.share.factor;
  }
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

frontend::Location Builder::location(std::size_t k) const { return fit_.points[segment(k).used.front()].location; }

std::string Builder::origin(std::size_t k) const { return "fitted to " + range_text(fit_.points, segment(k)); }

MachineParameter& Builder::add(MachineParameter parameter) {
  fit_.parameters.push_back(std::move(parameter));
  return fit_.parameters.back();
}

MachineParameter Builder::fitted(std::string name, ParameterUnit dimension, double value, double error,
                                 std::string meaning, std::string origin, frontend::Location location,
                                 std::optional<double> degrees_of_freedom) const {
  const double degrees = std::max(degrees_of_freedom.value_or(fit_.latency->degrees_of_freedom), 1.0);
  const double half = error > 0 ? interval_factor(options_.probability, degrees) * error : 0;
  return {std::move(name),    dimension,         value, error,   value - half, value + half,
          std::move(meaning), std::move(origin), false, location};
}

std::optional<double> Builder::assumption(const std::string& name) const {
  for (const auto& one : options_.assumptions) {
    if (one.name == name) return one.value;
  }
  return std::nullopt;
}

// A handshake is assumed to begin where the time jumps up the most, if that jump is beyond doubt. All segments from
// there on have it.
void Builder::choose_protocols() {
  std::size_t first = count();
  double largest = 0;
  const double factor = interval_factor(options_.probability, fit_.latency->degrees_of_freedom);
  for (std::size_t k = 0; k + 1 < count() && options_.protocols.empty(); ++k) {
    const double size = fit_.latency->thresholds[k].above;
    const Segment& low = segment(k);
    const Segment& high = segment(k + 1);
    const double before = low.line.at(size), jump = high.line.at(size) - before;
    if (jump <= factor * std::sqrt(low.variance_at(size) + high.variance_at(size)) || jump / before <= largest)
      continue;
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
         false});
  }
}

void Builder::set_byte_times() {
  for (std::size_t k = 0; k < count(); ++k) {
    const Segment& one = segment(k);
    MachineParameter parameter = fitted(numbered("G", k), ParameterUnit::time_per_byte, one.line.per_byte,
                                        one.standard_error.per_byte, "each byte", origin(k), location(k));
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
      fitted(numbered("step", k), ParameterUnit::time, value, error, "beside the latency", origin(k), location(k));
  fit_.parts[k].step = parameter.name;
  add(std::move(parameter));
}

// A line may be steep and reach below zero at 0 B, which is far from its messages. Then what they take is told from the
// largest message before the segment on, or, where the line is negative there, too, from the smallest size at which it
// is not.
void Builder::begin_at_threshold(MachineParameter& at_zero, MachineParameter& threshold, const Segment& segment) const {
  const double per_byte = segment.line.per_byte;
  threshold.value = std::max(threshold.value, std::ceil(-at_zero.value / per_byte));
  const double error = segment.standard_error.at_zero;
  const double others = std::max(at_zero.standard_error * at_zero.standard_error - error * error, 0.0);
  const double there = std::sqrt(others + std::max(segment.variance_at(threshold.value), 0.0));
  const double half = at_zero.upper - at_zero.value;
  const double factor = at_zero.standard_error > 0 ? half / at_zero.standard_error : 0;
  at_zero.value = std::max(at_zero.value + per_byte * threshold.value, 0.0);
  at_zero.standard_error = there;
  at_zero.lower = at_zero.value - factor * there;
  at_zero.upper = at_zero.value + factor * there;
}

void Builder::settle_steps() {
  for (std::size_t k = 1; k < count(); ++k) {
    SegmentCosts& part = fit_.parts[k];
    MachineParameter* const step = find(part.step);
    const MachineParameter* const per_byte = find(part.per_byte);
    if (step == nullptr || step->value >= 0 || step->value + per_byte->value * part.from < 0) continue;
    MachineParameter& threshold = *find(fit_.parts[k - 1].threshold);
    Segment line = segment(k);
    line.line.per_byte = per_byte->value;  // without what the processors take
    begin_at_threshold(*step, threshold, line);
    step->meaning = fmt::format("beside the latency, of a message of {}", size_text(threshold.value));
    part.step_from = threshold.name;
  }
}

MachineParameter* Builder::find(const std::string& name) {
  const auto found =
      std::find_if(fit_.parameters.begin(), fit_.parameters.end(), [&](const auto& one) { return one.name == name; });
  return found == fit_.parameters.end() ? nullptr : &*found;
}

void Builder::set_aside(const std::string& of, const Segmentation& found, const std::vector<TimedSize>& points) {
  for (const auto& one : found.segments) {
    for (const std::size_t i : one.outliers) {
      const TimedSize& point = points[i];
      fit_.wild.push_back({of, point.size, point.share.printed_of(point.time),
                           point.share.printed_of(one.line.at(point.size)), point.location});
    }
  }
}

void Builder::refuse(const std::string& name, std::string_view meaning, std::string_view unit,
                     const MachineParameter& found) {
  auto& d = diagnostics_.add(frontend::DiagnosticKind::negative_parameter, found.location,
                             fmt::format("`{}`, {}, comes out negative: {:.4g} {} ± {:.2g} {}", name, meaning,
                                         found.value, unit, found.standard_error, unit),
                             found.origin);
  d.notes.push_back(fmt::format("with {:g} % it is from {:.4g} to {:.4g} {}", 100 * options_.probability, found.lower,
                                found.upper, unit));
  d.help.push_back("fit sizes whose times lie on one line by themselves: `--sizes FROM..TO`");
  if (options_.keep_outliers) d.help.push_back("leave `--keep-outliers` out, so that wild times are set aside");
  if (options_.segments || !options_.protocols.empty())
    d.help.push_back("leave `--segments` and `--protocol` out, so that as many lines are fitted as there are");
}

// What is negative by less than its error is 0. What is more so belongs to no machine.
void Builder::refuse_negative() {
  for (auto& one : fit_.parameters) {
    if (one.value >= 0) continue;
    if (one.upper < 0) return refuse(one.name, one.meaning, unit_of(one.dimension), one);
    one.value = 0;
  }
}

void Builder::refuse_line_below_zero(const Segment& first, const std::string& name,
                                     const std::vector<TimedSize>& points) {
  if (first.line.at_zero >= 0) return;
  MachineParameter found;
  found.lower = first.lower.at_zero;
  found.upper = first.upper.at_zero;
  found.value = first.line.at_zero;
  found.standard_error = first.standard_error.at_zero;
  found.location = points[first.used.front()].location;
  found.origin = "fitted to " + range_text(points, first);
  refuse(name, "of an empty message", unit_of(ParameterUnit::time), found);
}

}  // namespace wave::analysis::machine_fit
