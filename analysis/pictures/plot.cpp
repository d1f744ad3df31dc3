// See plot.h.
#include "analysis/pictures/plot.h"

#include "analysis/pictures/table_plots.h"
#include "analysis/tables/table.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace wave::analysis::pictures {

std::string PlotAxis::title() const { return heading(label.empty() ? name : label, unit); }

std::string PlotAxis::text(double value, int digits) const {
  if (!is_category()) return frontend::format_number(value, digits);
  const auto ordinal = static_cast<std::size_t>(value);
  return ordinal < categories.size() ? categories[ordinal] : "";
}

bool Plot::has_measurements() const {
  return std::any_of(points.begin(), points.end(), [](const PlotPoint& point) { return point.measured; });
}

bool Plot::has_ranges() const {
  return std::any_of(points.begin(), points.end(), [](const PlotPoint& point) { return point.has_range(); });
}

void note_left_out(Plot& plot, std::size_t failed, std::size_t not_above_zero) {
  if (failed > 0)
    plot.notes.push_back(fmt::format("{} without a value: not drawn", frontend::counted(failed, "point")));
  if (not_above_zero > 0) {
    plot.notes.push_back(
        fmt::format("{} not above zero: not drawn on a logarithmic axis", frontend::counted(not_above_zero, "point")));
  }
}

void set_texts(Plot& plot, const PictureTexts& texts) {
  if (!texts.title.empty()) plot.title = texts.title;
  if (!texts.x.empty()) plot.x.label = texts.x;
  if (!texts.y.empty()) plot.y.label = texts.y;
  if (texts.any()) plot.words = describe(plot);
}

std::string tick_text(double value) {
  if (value == 0) return "0";
  const double size = std::fabs(value);
  if (size >= 1e6 || size < 1e-4) {
    // 1e+06 is not how a person writes a million.
    std::string text = fmt::format("{:.3g}", value);
    const auto at = text.find('e');
    if (at == std::string::npos) return text;
    const int exponent = std::stoi(text.substr(at + 1));
    return fmt::format("{}e{}", text.substr(0, at), exponent);
  }
  std::string text = fmt::format("{:.4g}", value);
  if (text.find('e') != std::string::npos) text = fmt::format("{:.0f}", value);
  return text;
}

AxisSpan span_of(const Plot& plot, double PlotPoint::* coordinate) {
  AxisSpan span;
  const auto add = [&](double value) {
    if (!std::isfinite(value)) return;
    span.least = span.is_empty ? value : std::min(span.least, value);
    span.most = span.is_empty ? value : std::max(span.most, value);
    span.is_empty = false;
  };
  for (const PlotPoint& point : plot.points) {
    add(point.*coordinate);
    if (coordinate == &PlotPoint::y && point.has_range()) add(point.low), add(point.high);
  }
  return span;
}

namespace {

// The steps are 1, 2 and 5 times a power of ten.
double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough * (1 - 1e-9)) return times * power;
  }
  return 10 * power;
}

std::vector<double> linear_ticks(double first, double last, std::size_t wanted) {
  if (!(last > first)) return {first};
  const double step = round_step((last - first) / static_cast<double>(std::max<std::size_t>(1, wanted)));
  std::vector<double> ticks;
  const double begin = std::ceil(first / step - 1e-9);
  for (double i = begin; i * step <= last + 1e-9 * step && ticks.size() < 100; ++i) {
    ticks.push_back(i == 0 ? 0 : i * step);
  }
  return ticks;
}

std::vector<double> log_ticks(double first, double last, std::size_t wanted) {
  const int low = static_cast<int>(std::floor(std::log10(first) + 1e-12)),
            high = static_cast<int>(std::ceil(std::log10(last) - 1e-12));
  // The finest of these that does not give too many.
  const std::vector<std::vector<double>> choices = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}};
  for (const auto& digits : choices) {
    std::vector<double> ticks;
    for (int exponent = low; exponent <= high; ++exponent) {
      for (const double digit : digits) {
        const double tick = digit * std::pow(10.0, exponent);
        if (tick >= first * (1 - 1e-9) && tick <= last * (1 + 1e-9)) ticks.push_back(tick);
      }
    }
    if (ticks.size() <= wanted && ticks.size() >= 2) return ticks;
  }
  std::vector<double> ticks;
  const int every = std::max(
      1, static_cast<int>(std::ceil((high - low + 1) / static_cast<double>(std::max<std::size_t>(1, wanted)))));
  for (int exponent = low; exponent <= high; exponent += every) {
    const double tick = std::pow(10.0, exponent);
    if (tick >= first * (1 - 1e-9) && tick <= last * (1 + 1e-9)) ticks.push_back(tick);
  }
  return ticks.size() >= 2 ? ticks : linear_ticks(first, last, wanted);
}

// Which of the rising values that a person has listed are written. None if they are many and do not rise by one factor.
std::vector<double> ticks_at(const std::vector<double>& values, bool is_log, std::size_t wanted) {
  if (values.size() < (is_log ? 2U : 3U) || wanted == 0) return {};
  const auto are_alike = [&](const auto& step) {
    const double first = step(values[0], values[1]);
    for (std::size_t i = 1; i + 1 < values.size(); ++i) {
      if (std::fabs(step(values[i], values[i + 1]) - first) > 1e-6 * std::fabs(first)) return false;
    }
    return true;
  };
  const bool is_even = is_log ? are_alike([](double a, double b) { return b / a; })
                              : are_alike([](double a, double b) { return b - a; });
  if (values.size() <= wanted) return is_log || is_even ? values : std::vector<double>();
  if (!is_log || !is_even) return {};
  const std::size_t every = (values.size() + wanted - 1) / wanted;
  std::vector<double> ticks;
  for (std::size_t i = 0; i < values.size(); i += every) ticks.push_back(values[i]);
  return ticks;
}

}  // namespace

std::vector<double> ticks_of(double first, double last, bool is_log, std::size_t wanted) {
  return is_log ? log_ticks(first, last, wanted) : linear_ticks(first, last, wanted);
}

bool shows_zero(const PlotAxis& axis, double PlotPoint::* coordinate, const AxisSpan& span) {
  constexpr double close_together = 0.1;
  if (coordinate != &PlotPoint::y || axis.is_log || axis.is_category() || span.is_empty) return false;
  const double largest = std::max(std::fabs(span.least), std::fabs(span.most));
  return span.least == span.most || span.most - span.least >= close_together * largest;
}

AxisSpan axis_span(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate) {
  AxisSpan span = span_of(plot, coordinate);
  if (!shows_zero(axis, coordinate, span)) return span;
  span.least = std::min(span.least, 0.0);
  span.most = std::max(span.most, 0.0);
  return span;
}

std::vector<double> axis_ticks(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate,
                               std::size_t wanted) {
  const AxisSpan span = axis_span(plot, axis, coordinate);
  if (axis.is_category() || span.is_empty) return {};
  if (coordinate == &PlotPoint::x) {
    std::set<double> values;
    for (const PlotPoint& point : plot.points) values.insert(point.x);
    if (auto ticks = ticks_at({values.begin(), values.end()}, axis.is_log, wanted); !ticks.empty()) return ticks;
  }
  return ticks_of(span.least, span.most, axis.is_log, wanted);
}

// --- stacked bars ---

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
