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
                                 std::string meaning, std::string origin,
                                 std::optional<double> degrees_of_freedom) const {
  const double degrees = std::max(degrees_of_freedom.value_or(fit_.latency->degrees_of_freedom), 1.0);
  const double half = error > 0 ? interval_factor(options_.probability, degrees) * error : 0;
  return {std::move(name),    dimension,         value, error, value - half, value + half,
          std::move(meaning), std::move(origin), false, false};
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

}  // namespace wave::analysis::machine_fit
