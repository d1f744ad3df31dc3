// A picture as data: axes, points, and what it shows in words. What draws it (a page, a file, a terminal) decides
// nothing about its contents, so that all three show the same.
#pragma once

#include "frontend/ast/ast.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis::pictures {

struct PlotAxis {
  std::string name;  // "total"
  std::string unit;  // "us"; empty: a plain number
  bool is_log = false;
  // What has no order of numbers: machines, words, truth values. Points count by them. Empty: numbers.
  std::vector<std::string> categories;
  bool is_category() const { return !categories.empty(); }
  std::string title() const;  // "total [us]"
};

struct PlotPoint {
  double x = 0, y = 0;  // in the units of the axes, or ordinals of categories
  double value = 0;     // of a heat map
  std::size_t series = 0;
  bool measured = false;
};

struct Plot {
  enum class Kind {
    lines,     // a line for each series, measurements as points over them
    points,    // the same without the lines: several values at one x
    bars,      // stacked, horizontal: y is a category, x the length of a part, the series its name
    heat_map,  // x and y are categories, the value a colour
  };
  Kind kind = Kind::lines;
  std::string title;  // "total over n"
  std::string words;  // what it shows, for those who do not see it
  PlotAxis x, y;
  PlotAxis value;                   // of a heat map
  std::string by;                   // what tells the series apart; empty where there is only one
  std::vector<std::string> series;  // names of those that are drawn; never empty but in a heat map
  bool series_are_ordered = false;  // they are numbers, in order
  std::vector<PlotPoint> points;    // of a line in the order in which it is drawn
  std::vector<std::string> notes;   // what is left out, and why

  bool has_measurements() const;
};

// As many series as an eye can tell apart. A note says if further ones are left out.
inline constexpr std::size_t most_series = 16;

// The numbers written at an axis from `first` to `last`: round ones, about `wanted` of them. Of a logarithmic axis both
// are positive.
std::vector<double> ticks_of(double first, double last, bool is_log, std::size_t wanted);
// The numbers written at an axis of a plot. Along x those of its points, where these are few, or some of them where
// they lie at one factor (1, 4, 16 rather than 1, 3, 10); otherwise round ones. Of a category none.
std::vector<double> axis_ticks(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate,
                               std::size_t wanted);
// A number at an axis or in a cell: few digits, no trailing zeros.
std::string tick_text(double value);

// The values of all points along an axis; empty where there are none.
struct AxisSpan {
  double least = 0, most = 0;
  bool is_empty = true;
};
AxisSpan span_of(const Plot& plot, double PlotPoint::* coordinate);

// Whether zero is on an axis of results, so that heights can be compared: on every linear one, unless all values lie so
// close together that nothing would be seen of how they differ.
bool shows_zero(const PlotAxis& axis, double PlotPoint::* coordinate, const AxisSpan& span);
// From where to where an axis goes.
AxisSpan axis_span(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate);

// Puts words to a plot of lines, points, bars or a heat map, from its points.
std::string describe(const Plot& plot);

// A bar and its parts: what they are called, and their lengths in ps.
struct Bar {
  std::string name;
  std::vector<std::pair<std::string, double>> parts;
};
// Small parts, and parts that are too many to tell apart, become one, `other`. `unit` chooses the unit.
Plot plot_bars(const std::string& title, const std::string& of, const std::vector<Bar>& bars,
               const std::optional<frontend::Unit>& unit = std::nullopt);

}  // namespace wave::analysis::pictures
