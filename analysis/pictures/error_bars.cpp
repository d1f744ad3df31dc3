// See error_bars.h.
#include "analysis/pictures/error_bars.h"

#include "analysis/machine_fit/regression.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace wave::analysis::pictures {

namespace {

constexpr double confidence = 0.95;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

// From where to where the bar of several values goes.
std::pair<double, double> bar_of(const std::vector<double>& values, double mean, ErrorBars bars) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  double half = deviation_of(values, mean);
  const auto count = static_cast<double>(values.size());
  if (bars == ErrorBars::interval) half *= machine_fit::interval_factor(confidence, count - 1) / std::sqrt(count);
  return bars == ErrorBars::range ? std::pair(*least, *most) : std::pair(mean - half, mean + half);
}

std::string meaning_of(ErrorBars bars) {
  switch (bars) {
    case ErrorBars::deviation: return "bars: one standard deviation on either side of the mean";
    case ErrorBars::interval: return "bars: 95 % confidence interval of the mean";
    case ErrorBars::range: return "bars: from the least to the largest, around the mean";
    case ErrorBars::none: break;
  }
  return "";
}

}  // namespace

void join_repeated(Plot& plot, ErrorBars bars) {
  if (bars == ErrorBars::none) return;
  std::map<std::pair<std::size_t, double>, std::vector<double>> places;
  for (const PlotPoint& point : plot.points) {
    if (point.measured) places[{point.series, point.x}].push_back(point.y);
  }
  std::size_t least = 0, most = 0;
  std::vector<PlotPoint> joined;
  for (const auto& [place, values] : places) {
    if (values.size() < 2) continue;
    least = least == 0 ? values.size() : std::min(least, values.size());
    most = std::max(most, values.size());
    const double mean = mean_of(values);
    const auto [low, high] = bar_of(values, mean, bars);
    joined.push_back({place.second, mean, 0, place.first, true, low, high});
  }
  if (joined.empty()) return;
  std::erase_if(plot.points, [&](const PlotPoint& point) {
    return point.measured && places.at({point.series, point.x}).size() > 1;
  });
  plot.points.insert(plot.points.end(), joined.begin(), joined.end());
  plot.notes.push_back(
      fmt::format("{} of {}{} measurements", meaning_of(bars), least, most > least ? fmt::format(" to {}", most) : ""));
}

}  // namespace wave::analysis::pictures
