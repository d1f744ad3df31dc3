// A picture as data: axes, points, and what it shows in words. Pages, files and terminals draw it, and decide nothing
// about its contents, so that all three show the same.
#pragma once

#include "analysis/pictures/style.h"
#include "frontend/ast/ast.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis::pictures {

struct PlotAxis {
  std::string name;  // "total"
  std::string unit;  // "us"; empty for plain numbers
  bool is_log = false;
  // The categories of an axis that has no numbers, but machines, words or truth values. Points have their ordinals.
  // Empty for numbers.
  std::vector<std::string> categories;
  std::string label = {};  // in place of the name; empty: the name
  bool is_category() const { return !categories.empty(); }
  std::string title() const;  // "total [us]"
  // A number without the unit, or the category of an ordinal.
  std::string text(double value, int digits) const;
};

struct PlotPoint {
  double x = 0, y = 0;  // in the units of the axes, or ordinals of categories
  double value = 0;     // in a heat map or timeline
  std::size_t series = 0;
  bool measured = false;
  // Between what y may lie: of samples, or of repeated measurements. Not numbers: nothing is known of it.
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
  bool has_range() const { return std::isfinite(low) && std::isfinite(high); }
};

// A message in a timeline: from a time of one lane to a time of another.
struct PlotArrow {
  double begin = 0, end = 0;
  std::size_t from = 0, to = 0;  // ordinals of lanes
};

struct Plot {
  enum class Kind {
    lines,     // a line for each series, measurements as points over them
    points,    // the same without the lines: several values at one x
    bars,      // stacked, horizontal: y is a category, x the length of a part, the series its name
    heat_map,  // x and y are categories, the value a colour
    timeline,  // y is a process, x the begin of what it does, the value its end, the series what that is
  };
  Kind kind = Kind::lines;
  std::string title;  // "total over n"
  std::string words;  // what it shows, for people who do not see it
  PlotAxis x, y;
  PlotAxis value;                   // of a heat map or timeline
  std::string by;                   // what tells the series apart; empty if there is only one
  std::vector<std::string> series;  // the names of those that are drawn; empty in a heat map alone
  bool series_are_ordered = false;  // the series are numbers, in order
  std::vector<PlotPoint> points;    // those of a line in the order in which it is drawn
  std::vector<std::string> notes;   // what is left out, and why

  // Of a timeline: in which colours its series are drawn, so that one activity has one colour in all timelines; the
  // phases that its processes are in, as slices whose series are numbers in `phases`; and messages.
  std::vector<std::size_t> colours;
  std::vector<std::string> phases;
  std::vector<PlotPoint> in_phase;
  std::vector<PlotArrow> arrows;

  PictureSize size;

  bool has_measurements() const;
  bool has_ranges() const;
};

// Notes how many points are not drawn, because they have no value or no place on a logarithmic axis.
void note_left_out(Plot& plot, std::size_t failed, std::size_t not_above_zero);
// Gives a plot these texts, also where it is described in words.
void set_texts(Plot& plot, const PictureTexts& texts);

// No more series can be told apart by eye. A note says if others are left out.
inline constexpr std::size_t most_series = 16;

// The numbers written at an axis from `first` to `last`: round ones, and about `wanted` of them. Both ends of a
// logarithmic axis are positive.
std::vector<double> ticks_of(double first, double last, bool is_log, std::size_t wanted);
// The numbers written at an axis of a plot. Along x these are the numbers of its points if there are few, or some of
// them if they rise by one factor (1, 4, 16 rather than 1, 3, 10). Otherwise they are round. An axis of categories has
// none.
std::vector<double> axis_ticks(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate,
                               std::size_t wanted);
// A number at an axis or in a cell, with few digits and no trailing zeros.
std::string tick_text(double value);

// From the least to the largest value of points along an axis. Empty if there are no points.
struct AxisSpan {
  double least = 0, most = 0;
  bool is_empty = true;
};
AxisSpan span_of(const Plot& plot, double PlotPoint::* coordinate);

// Whether an axis of results has zero on it, so that heights can be compared. Every linear one has, unless all values
// lie so close together that their differences could not be seen.
bool shows_zero(const PlotAxis& axis, double PlotPoint::* coordinate, const AxisSpan& span);
// From where to where an axis goes.
AxisSpan axis_span(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate);

// Describes a plot in words, from its points.
std::string describe(const Plot& plot);

// A bar and its parts: what they are called, and their lengths in ps.
struct Bar {
  std::string name;
  std::vector<std::pair<std::string, double>> parts;
};
// A plot of stacked bars. Small parts, and parts that are too many to tell apart, are shown as one, `other`. `unit`
// chooses the unit.
Plot plot_bars(const std::string& title, const std::string& of, const std::vector<Bar>& bars,
               const std::optional<frontend::Unit>& unit = std::nullopt);

}  // namespace wave::analysis::pictures
