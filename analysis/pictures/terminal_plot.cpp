// See terminal_plot.h.
#include "analysis/pictures/terminal_plot.h"

#include "analysis/pictures/timeline_plot.h"
#include "base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

// --- a grid of characters ---

// The bit of a dot of Braille (U+2800 and on), by column and row.
constexpr std::uint8_t braille[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

std::size_t place_of(double fraction, std::size_t places) {
  const double clamped = std::clamp(fraction, 0.0, 1.0);
  return static_cast<std::size_t>(std::lround(clamped * static_cast<double>(places - 1)));
}

// A grid of characters with finer dots below them: 2 x 4 dots of Braille in a character, or one dot of ASCII.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, bool unicode);

  // In dots.
  std::size_t dots_across() const { return width_ * dots_x_; }
  std::size_t dots_down() const { return height_ * dots_y_; }

  // Coordinates are fractions of the canvas, 0 at the left and at the bottom.
  void line(double x0, double y0, double x1, double y1, std::size_t colour);
  // Puts a character over the dots.
  void mark(double x, double y, const std::string& glyph, std::size_t colour);

  static constexpr std::size_t no_colour = ~std::size_t{0};
  // A row as text, without the spaces at its end. A colour begins with `colours[i % size]` and ends with `end`.
  std::string row(std::size_t row, const std::vector<std::string>& colours, const std::string& end) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    std::string glyph;  // empty to show the dots
    std::size_t colour = no_colour;
  };
  void dot(std::size_t x, std::size_t y, std::size_t colour);
  std::string text_of(const Cell& cell) const;

  std::size_t width_, height_, dots_x_, dots_y_;
  bool unicode_;
  std::vector<Cell> cells_;
};

Canvas::Canvas(std::size_t width, std::size_t height, bool unicode)
    : width_(width),
      height_(height),
      dots_x_(unicode ? 2 : 1),
      dots_y_(unicode ? 4 : 1),
      unicode_(unicode),
      cells_(width * height) {}

void Canvas::dot(std::size_t x, std::size_t y, std::size_t colour) {
  Cell& cell = cells_[y / dots_y_ * width_ + x / dots_x_];
  cell.dots |= braille[x % dots_x_][y % dots_y_];
  if (cell.glyph.empty()) cell.colour = colour;
}

void Canvas::line(double x0, double y0, double x1, double y1, std::size_t colour) {
  const std::size_t from_x = place_of(x0, dots_across()), to_x = place_of(x1, dots_across());
  const std::size_t from_y = place_of(1 - y0, dots_down()), to_y = place_of(1 - y1, dots_down());
  const auto gap = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
  const std::size_t steps = std::max({gap(from_x, to_x), gap(from_y, to_y), std::size_t{1}});
  for (std::size_t i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(steps);
    const auto between = [&](std::size_t a, std::size_t b) {
      return static_cast<std::size_t>(std::lround(static_cast<double>(a) * (1 - part) + static_cast<double>(b) * part));
    };
    dot(between(from_x, to_x), between(from_y, to_y), colour);
  }
}

void Canvas::mark(double x, double y, const std::string& glyph, std::size_t colour) {
  const std::size_t column = place_of(x, dots_across()) / dots_x_, row = place_of(1 - y, dots_down()) / dots_y_;
  Cell& cell = cells_[row * width_ + column];
  cell.glyph = glyph;
  cell.colour = colour;
}

std::string Canvas::text_of(const Cell& cell) const {
  if (!cell.glyph.empty()) return cell.glyph;
  if (cell.dots == 0) return " ";
  if (!unicode_) return ".";
  // U+2800 + dots in UTF-8.
  return {'\xE2', static_cast<char>(0xA0 + (cell.dots >> 6)), static_cast<char>(0x80 + (cell.dots & 0x3F))};
}

std::string Canvas::row(std::size_t row, const std::vector<std::string>& colours, const std::string& end) const {
  const Cell* const cells = &cells_[row * width_];
  std::size_t last = width_;
  while (last > 0 && cells[last - 1].dots == 0 && cells[last - 1].glyph.empty()) --last;
  std::string text;
  std::size_t open = no_colour;
  for (std::size_t i = 0; i < last; ++i) {
    const bool is_blank = cells[i].dots == 0 && cells[i].glyph.empty();
    const std::size_t colour = colours.empty() || is_blank ? no_colour : cells[i].colour;
    if (colour != open) {
      if (open != no_colour) text += end;
      if (colour != no_colour) text += colours[colour % colours.size()];
      open = colour;
    }
    text += text_of(cells[i]);
  }
  return open == no_colour ? text : text + end;
}

// --- plots ---

constexpr std::size_t narrowest = 30;

// The signs that mark the points of one series after the other, as many as a plot may have, and measurements.
const std::vector<std::string> marks = {"●", "▲", "■", "◆", "▼", "○", "△", "□", "◇", "▽", "★", "☆", "▶", "▷", "◉", "◐"};
const std::vector<std::string> plain_marks = {"*", "+", "x", "o", "#", "@", "%", "&",
                                              "=", "~", "$", "^", "A", "B", "C", "D"};
static_assert(most_series == 16, "as many signs as there may be series");
constexpr const char* measured_mark = "✕";
constexpr const char* plain_measured_mark = "M";

// How many columns a name takes, unless it has wide characters.
std::size_t length_of(const std::string& text) { return count_code_points(text); }

std::string shortened(const std::string& text, std::size_t most, bool unicode) {
  if (length_of(text) <= most || most == 0) return text;
  const std::string end = unicode ? "…" : "~";
  std::string kept;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (starts_code_point(text[i]) && ++count == most) break;
    kept += text[i];
  }
  return kept + end;
}

std::string pad_left(const std::string& text, std::size_t width) {
  const std::size_t length = length_of(text);
  return std::string(width > length ? width - length : 0, ' ') + text;
}

// Where a value lies between the ends of an axis.
class Span {
 public:
  Span(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate) : is_log_(axis.is_log) {
    if (axis.is_category()) {
      first_ = 0;
      last_ = static_cast<double>(axis.categories.size() - 1);
      return;
    }
    const AxisSpan span = axis_span(plot, axis, coordinate);
    first_ = span.least;
    last_ = span.most;
  }
  double first() const { return first_; }
  double last() const { return last_; }
  double place(double value) const {
    if (!(last_ > first_)) return 0.5;
    if (is_log_) return (std::log(value) - std::log(first_)) / (std::log(last_) - std::log(first_));
    return (value - first_) / (last_ - first_);
  }

 private:
  double first_ = 0, last_ = 0;
  bool is_log_;
};

struct Tick {
  double place;
  std::string text;
};

std::vector<Tick> ticks(const Plot& plot, const PlotAxis& axis, double PlotPoint::* coordinate, const Span& span,
                        std::size_t wanted) {
  std::vector<Tick> all;
  if (axis.is_category()) {
    for (std::size_t i = 0; i < axis.categories.size(); ++i) {
      all.push_back({span.place(static_cast<double>(i)), axis.categories[i]});
    }
    return all;
  }
  for (const double value : axis_ticks(plot, axis, coordinate, wanted))
    all.push_back({span.place(value), tick_text(value)});
  return all;
}

// The labels below the axis that fit beside each other.
std::string labels_below(const std::vector<Tick>& ticks, std::size_t width, bool unicode) {
  std::string line;
  std::size_t end = 0;  // columns written
  for (const Tick& tick : ticks) {
    const std::string text = shortened(tick.text, 12, unicode);
    const std::size_t length = length_of(text),
                      centre = static_cast<std::size_t>(std::lround(tick.place * static_cast<double>(width - 1)));
    std::size_t begin = centre > length / 2 ? centre - length / 2 : 0;
    begin = std::min(begin, width > length ? width - length : 0);
    if (end != 0 && begin < end + 1) continue;
    line += std::string(begin - end, ' ') + text;
    end = begin + length;
  }
  return line;
}

std::string in_colour(const std::string& text, std::size_t series, const TerminalStyle& style) {
  return style.colours.empty() ? text : style.colours[series % style.colours.size()] + text + style.colour_end;
}

std::string notes_text(const Plot& plot) {
  std::string text;
  for (const std::string& note : plot.notes) text += "(" + note + ")\n";
  return text;
}

// "● A  ▲ B", in as many lines as it takes.
std::string legend(const std::vector<std::string>& signs, const Plot& plot, const TerminalStyle& style,
                   bool has_measurements) {
  std::string text, line;
  std::size_t length = 0;
  const auto add = [&](const std::string& sign, const std::string& name, std::size_t series) {
    const std::string label = shortened(name, style.width - 4, style.unicode);
    const std::size_t own = length_of(sign) + 1 + length_of(label);
    if (length > 0 && length + 2 + own > style.width) {
      text += line + "\n";
      line.clear();
      length = 0;
    }
    if (length > 0) line += "  ";
    line += in_colour(sign, series, style) + " " + label;
    length += own + (length > 0 ? 2 : 0);
  };
  // Numbers say nothing by themselves.
  if (!plot.by.empty() && plot.series_are_ordered) text += shortened(plot.by, style.width - 1, style.unicode) + ":\n";
  if (!plot.by.empty()) {
    for (std::size_t i = 0; i < plot.series.size(); ++i) add(signs[i % signs.size()], plot.series[i], i);
  }
  if (has_measurements) add(style.unicode ? measured_mark : plain_measured_mark, "measured", 0);
  return line.empty() ? text : text + line + "\n";
}

std::string draw_lines(const Plot& plot, const TerminalStyle& style) {
  const auto& signs = style.unicode ? marks : plain_marks;
  const Span across(plot, plot.x, &PlotPoint::x), upward(plot, plot.y, &PlotPoint::y);
  const auto left = ticks(plot, plot.y, &PlotPoint::y, upward, std::max<std::size_t>(2, style.height / 3));
  std::size_t margin = 1;
  for (const Tick& tick : left) margin = std::max(margin, length_of(tick.text));
  const std::size_t width = style.width - std::min(style.width - 10, margin + 2);
  Canvas canvas(width, style.height, style.unicode);
  const PlotPoint* before = nullptr;
  for (const PlotPoint& point : plot.points) {
    const bool follows = before && !before->measured && !point.measured && before->series == point.series;
    if (follows && plot.kind == Plot::Kind::lines) {
      canvas.line(across.place(before->x), upward.place(before->y), across.place(point.x), upward.place(point.y),
                  point.series);
    }
    if (point.has_range()) {
      canvas.line(across.place(point.x), upward.place(point.low), across.place(point.x), upward.place(point.high),
                  point.series);
    }
    before = &point;
  }
  for (const PlotPoint& point : plot.points) {
    const std::string sign =
        point.measured ? (style.unicode ? measured_mark : plain_measured_mark) : signs[point.series % signs.size()];
    canvas.mark(across.place(point.x), upward.place(point.y), sign, point.series);
  }
  std::vector<std::string> labels(style.height);
  for (const Tick& tick : left) {
    const auto row = static_cast<std::size_t>(std::lround((1 - tick.place) * static_cast<double>(style.height - 1)));
    if (row < labels.size()) labels[row] = tick.text;
  }
  std::string text = plot.y.title() + (plot.y.is_log ? " (log)" : "") + "\n";
  for (std::size_t row = 0; row < style.height; ++row) {
    const char* const axis = labels[row].empty() ? (style.unicode ? "│" : "|") : (style.unicode ? "┤" : "+");
    text += pad_left(labels[row], margin) + " " + axis + canvas.row(row, style.colours, style.colour_end) + "\n";
  }
  const std::string indent(margin + 1, ' ');
  text += indent + (style.unicode ? "└" : "+");
  for (std::size_t i = 0; i < width; ++i) text += style.unicode ? "─" : "-";
  text += "\n" + indent + " " +
          labels_below(ticks(plot, plot.x, &PlotPoint::x, across, width / 8), width, style.unicode) + "\n";
  const std::string below = plot.x.title() + (plot.x.is_log ? " (log)" : "");
  text += pad_left(below, std::min(style.width, margin + 2 + (width + length_of(below)) / 2)) + "\n";
  return text + legend(signs, plot, style, plot.has_measurements());
}

std::string draw_bars(const Plot& plot, const TerminalStyle& style) {
  const std::vector<std::string> fills = style.unicode
                                             ? std::vector<std::string>{"█", "▒", "▓", "░", "▚", "▤", "▥", "▧"}
                                             : std::vector<std::string>{"#", "=", "+", "-", "%", "o", "x", "."};
  std::size_t margin = 1;
  double longest = 0;
  std::vector<double> totals(plot.y.categories.size());
  for (const PlotPoint& point : plot.points) totals[static_cast<std::size_t>(point.y)] += std::fabs(point.x);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    margin = std::max(margin, std::min(length_of(plot.y.categories[i]), style.width / 3));
    longest = std::max(longest, totals[i]);
  }
  constexpr std::size_t room_for_number = 12;
  const std::size_t width =
      std::max<std::size_t>(8, style.width - std::min(style.width - 8, margin + 2 + room_for_number));
  std::string text = plot.x.title() + "\n";
  for (std::size_t bar = 0; bar < totals.size(); ++bar) {
    text += pad_left(shortened(plot.y.categories[bar], margin, style.unicode), margin) + (style.unicode ? " │" : " |");
    double end = 0;
    std::size_t written = 0;
    for (const PlotPoint& point : plot.points) {
      if (point.y != static_cast<double>(bar)) continue;
      end += std::fabs(point.x);
      const auto until =
          static_cast<std::size_t>(std::lround(longest == 0 ? 0 : end / longest * static_cast<double>(width)));
      std::string fill;
      for (; written < until; ++written) fill += fills[point.series % fills.size()];
      if (!fill.empty()) text += in_colour(fill, point.series, style);
    }
    text += " " + tick_text(totals[bar]) + "\n";
  }
  return text + legend(fills, plot, style, false);
}

std::string draw_heat_map(const Plot& plot, const TerminalStyle& style) {
  const std::vector<std::string> shades = style.unicode ? std::vector<std::string>{"·", "░", "▒", "▓", "█"}
                                                        : std::vector<std::string>{".", ":", "+", "%", "@"};
  const AxisSpan span = span_of(plot, &PlotPoint::value);
  std::size_t margin = length_of(plot.y.title());
  for (const std::string& label : plot.y.categories) margin = std::max(margin, length_of(label));
  margin = std::min(margin, style.width / 3);
  // All cells are equally wide. If they do not all fit, every k-th is shown.
  const std::size_t columns = plot.x.categories.size(), room = std::max<std::size_t>(4, style.width - margin - 2);
  const std::size_t every = (columns + room - 1) / room, shown = (columns + every - 1) / every;
  const std::size_t cell = std::clamp<std::size_t>(room / std::max<std::size_t>(1, shown), 1, 6);
  std::vector<std::vector<std::string>> rows(plot.y.categories.size(), std::vector<std::string>(shown, " "));
  for (const PlotPoint& point : plot.points) {
    const auto column = static_cast<std::size_t>(point.x);
    if (column % every != 0) continue;
    const bool is_flat = !(span.most > span.least);
    const double place = is_flat             ? 0.5
                         : plot.value.is_log ? std::log(point.value / span.least) / std::log(span.most / span.least)
                                             : (point.value - span.least) / (span.most - span.least);
    const auto shade =
        std::min(shades.size() - 1, static_cast<std::size_t>(place * static_cast<double>(shades.size())));
    rows[static_cast<std::size_t>(point.y)][column / every] = shades[shade];
  }
  std::string text = fmt::format("{}\n{}\n", plot.value.title(), plot.y.title());
  for (std::size_t row = rows.size(); row-- > 0;) {
    text += pad_left(shortened(plot.y.categories[row], margin, style.unicode), margin) + (style.unicode ? " │" : " |");
    std::string line;
    for (const std::string& shade : rows[row]) {
      for (std::size_t i = 0; i < cell; ++i) line += shade;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  std::vector<Tick> below;
  const std::size_t width = shown * cell;
  for (std::size_t i = 0; i < shown; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * static_cast<double>(cell) / static_cast<double>(width);
    below.push_back({centre, plot.x.categories[i * every]});
  }
  text += std::string(margin + 2, ' ') + labels_below(below, width, style.unicode) + "\n";
  text += std::string(margin + 2, ' ') + plot.x.title() + "\n";
  return text +
         fmt::format("{} {} to {} {}\n", shades.front(), tick_text(span.least), shades.back(), tick_text(span.most));
}

}  // namespace

std::string draw_in_text(const Plot& plot, const TerminalStyle& given) {
  TerminalStyle style = given;
  style.width = std::max(narrowest, style.width);
  style.height = std::max<std::size_t>(4, style.height);
  std::string text = plot.title + "\n";
  if (plot.points.empty()) return text + "(nothing to draw)\n" + notes_text(plot);
  switch (plot.kind) {
    case Plot::Kind::lines:
    case Plot::Kind::points: text += draw_lines(plot, style); break;
    case Plot::Kind::bars: text += draw_bars(plot, style); break;
    case Plot::Kind::heat_map: text += draw_heat_map(plot, style); break;
    case Plot::Kind::timeline: text += draw_bars(times_of_timeline(plot), style); break;
  }
  return text + notes_text(plot);
}

}  // namespace wave::analysis::pictures
