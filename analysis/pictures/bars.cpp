// Stacked bars: parts of times, the small ones together. See table_plots.h.
#include "analysis/pictures/table_plots.h"
#include "frontend/format/quantities.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::analysis::pictures {

namespace {

constexpr std::size_t most_parts = 7;
constexpr double small_part = 0.01;  // of the longest bar

// The parts of all bars that deserve a colour of their own, the largest first.
std::vector<std::string> named_parts(const std::vector<Bar>& bars) {
  std::vector<std::string> names;
  std::map<std::string, double> largest;
  double longest = 0;
  for (const Bar& bar : bars) {
    double length = 0;
    for (const auto& [name, time] : bar.parts) {
      if (largest.find(name) == largest.end()) names.push_back(name);
      largest[name] = std::max(largest[name], std::fabs(time));
      length += std::fabs(time);
    }
    longest = std::max(longest, length);
  }
  std::stable_sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return largest[a] > largest[b]; });
  std::erase_if(names, [&](const std::string& name) { return largest[name] < small_part * longest; });
  if (names.size() > most_parts) names.resize(most_parts);
  return names;
}

}  // namespace

Plot plot_bars(const std::string& title, const std::string& of, const std::vector<Bar>& bars,
               const std::optional<frontend::Unit>& unit) {
  Plot plot;
  plot.kind = Plot::Kind::bars;
  plot.title = title;
  plot.by = "part";
  plot.series = named_parts(bars);
  plot.y.name = of;
  plot.x.name = "time";
  std::vector<double> lengths;
  for (const Bar& bar : bars) {
    double length = 0;
    for (const auto& part : bar.parts) length += std::fabs(part.second);
    lengths.push_back(length);
  }
  const frontend::Scale scale =
      unit ? frontend::scale_of(*unit) : frontend::readable_scale(frontend::Dimension{1, 0, 0}, lengths);
  plot.x.unit = scale.unit;
  bool has_other = false;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    plot.y.categories.push_back(bars[i].name);
    std::vector<double> sums(plot.series.size() + 1);
    for (const auto& [name, time] : bars[i].parts) {
      sums[static_cast<std::size_t>(std::find(plot.series.begin(), plot.series.end(), name) - plot.series.begin())] +=
          time;
    }
    for (std::size_t part = 0; part < sums.size(); ++part) {
      if (sums[part] == 0) continue;
      has_other |= part == plot.series.size();
      plot.points.push_back({scale.shown(sums[part]), static_cast<double>(i), 0, part, false});
    }
  }
  if (has_other) plot.series.push_back("other");
  plot.words = describe(plot);
  return plot;
}

}  // namespace wave::analysis::pictures
