// See plot.h: plots in words, for people who do not see them.
#include "analysis/pictures/plot.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

constexpr std::size_t most_series_in_words = 8;

std::string number_text(double value, const PlotAxis& axis) {
  const std::string text = axis.text(value, 4);
  return axis.is_category() || axis.unit.empty() ? text : text + " " + axis.unit;
}

std::string point_text(const Plot& plot, const PlotPoint& point) {
  return fmt::format("{} at {} = {}", number_text(point.y, plot.y), plot.x.name, number_text(point.x, plot.x));
}

// "from 14 s at n = 1 to 2 s at n = 8, least 1.8 s at n = 6".
std::string course_text(const Plot& plot, const std::vector<const PlotPoint*>& points) {
  const auto by_y = [](const PlotPoint* a, const PlotPoint* b) { return a->y < b->y; };
  const PlotPoint& first = *points.front();
  if (points.size() == 1) return point_text(plot, first);
  const PlotPoint& last = *points.back();
  std::string text = fmt::format("from {} to {}", point_text(plot, first), point_text(plot, last));
  const PlotPoint& least = **std::min_element(points.begin(), points.end(), by_y);
  const PlotPoint& most = **std::max_element(points.begin(), points.end(), by_y);
  if (least.y < std::min(first.y, last.y)) text += ", least " + point_text(plot, least);
  if (most.y > std::max(first.y, last.y)) text += ", most " + point_text(plot, most);
  return text;
}

std::vector<const PlotPoint*> points_of(const Plot& plot, std::size_t series, bool measured) {
  std::vector<const PlotPoint*> points;
  for (const PlotPoint& point : plot.points) {
    if (point.series == series && point.measured == measured) points.push_back(&point);
  }
  return points;
}

std::string describe_lines(const Plot& plot) {
  const std::string shape = plot.kind == Plot::Kind::points ? "Points" : plot.series.size() == 1 ? "A line" : "Lines";
  std::string text = fmt::format("{} of {} over {}", shape, plot.y.title(), plot.x.title());
  if (plot.x.is_log && plot.y.is_log)
    text += ", both axes logarithmic";
  else if (plot.x.is_log)
    text += fmt::format(", {} logarithmic", plot.x.name);
  else if (plot.y.is_log)
    text += fmt::format(", {} logarithmic", plot.y.name);
  if (!plot.by.empty()) text += fmt::format(", one for each {}", plot.by);
  text += ".";
  for (std::size_t i = 0; i < std::min(plot.series.size(), most_series_in_words); ++i) {
    const std::string name = plot.by.empty() ? "" : plot.series[i] + ": ";
    if (const auto points = points_of(plot, i, false); !points.empty())
      text += fmt::format(" {}{}.", name, course_text(plot, points));
    if (const auto points = points_of(plot, i, true); !points.empty()) {
      text += fmt::format(" {}measured, {}: {}.", name, frontend::counted(points.size(), "point"),
                          course_text(plot, points));
    }
  }
  if (plot.series.size() > most_series_in_words)
    text += fmt::format(" And {} more.", plot.series.size() - most_series_in_words);
  return text;
}

std::string describe_bars(const Plot& plot) {
  std::string text =
      fmt::format("Stacked bars of {}, a bar for each {}.", plot.x.title(), plot.y.name.empty() ? "row" : plot.y.name);
  for (std::size_t bar = 0; bar < std::min(plot.y.categories.size(), most_series_in_words); ++bar) {
    std::vector<const PlotPoint*> parts;
    double total = 0;
    for (const PlotPoint& point : plot.points) {
      if (point.y != static_cast<double>(bar)) continue;
      parts.push_back(&point);
      total += point.x;
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const PlotPoint* a, const PlotPoint* b) { return std::fabs(a->x) > std::fabs(b->x); });
    text += fmt::format(" {}: {}", plot.y.categories[bar], number_text(total, plot.x));
    std::vector<std::string> largest;
    for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 3); ++i) {
      const double percent = total == 0 ? 0 : 100 * parts[i]->x / total;
      largest.push_back(fmt::format("{} {:.0f} %", plot.series[parts[i]->series], percent));
    }
    text += largest.empty() ? "." : fmt::format(", of it {}.", join_texts(largest, ", "));
  }
  return text;
}

std::string describe_timeline(const Plot& plot) {
  const std::size_t lanes = plot.y.categories.size();
  std::string text = fmt::format("A timeline of {}, up to {}: a lane for each, with what it does when",
                                 frontend::counted(lanes, "process", "processes"),
                                 number_text(span_of(plot, &PlotPoint::value).most, plot.value));
  if (!plot.phases.empty()) text += fmt::format(", in the phases {}", join_texts(plot.phases, ", "));
  if (!plot.arrows.empty()) text += fmt::format(", and {} as arrows", frontend::counted(plot.arrows.size(), "message"));
  return text + ".";
}

std::string describe_heat_map(const Plot& plot) {
  std::string text =
      fmt::format("A heat map of {} over {} and {}.", plot.value.title(), plot.x.title(), plot.y.title());
  if (plot.points.empty()) return text;
  const auto by_value = [](const PlotPoint& a, const PlotPoint& b) { return a.value < b.value; };
  const auto cell = [&](const PlotPoint& point) {
    return fmt::format("{} at {} = {}, {} = {}", number_text(point.value, plot.value), plot.x.name,
                       number_text(point.x, plot.x), plot.y.name, number_text(point.y, plot.y));
  };
  return text + fmt::format(" Least {}; most {}.",
                            cell(*std::min_element(plot.points.begin(), plot.points.end(), by_value)),
                            cell(*std::max_element(plot.points.begin(), plot.points.end(), by_value)));
}

}  // namespace

std::string describe(const Plot& plot) {
  switch (plot.kind) {
    case Plot::Kind::lines:
    case Plot::Kind::points: return describe_lines(plot);
    case Plot::Kind::bars: return describe_bars(plot);
    case Plot::Kind::heat_map: return describe_heat_map(plot);
    case Plot::Kind::timeline: return describe_timeline(plot);
  }
  return "";
}

}  // namespace wave::analysis::pictures
