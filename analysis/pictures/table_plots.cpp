// See table_plots.h: lines and points.
#include "analysis/pictures/table_plots.h"

#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/error_bars.h"
#include "analysis/pictures/joined_results.h"
#include "analysis/pictures/series_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace wave::analysis::pictures {

namespace {

// No page can hold more points. A note says if others are left out.
constexpr std::size_t most_points = 4000;

std::vector<double> numbers_of(const ColumnReader& reader, std::size_t rows) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < rows; ++row) numbers.push_back(reader.number(row));
  return numbers;
}

void keep_few_series(Plot& plot) {
  if (plot.series.size() <= most_series) return;
  plot.notes.push_back(fmt::format("the first {} of {} lines are drawn", most_series, plot.series.size()));
  plot.series.resize(most_series);
  std::erase_if(plot.points, [](const PlotPoint& point) { return point.series >= most_series; });
}

// Keeps every k-th point, and the last one of each series.
void thin_out(Plot& plot) {
  if (plot.points.size() <= most_points) return;
  const std::size_t every = (plot.points.size() + most_points - 1) / most_points;
  std::vector<PlotPoint> kept;
  for (std::size_t i = 0; i < plot.points.size(); ++i) {
    const bool is_last = i + 1 == plot.points.size() || plot.points[i + 1].series != plot.points[i].series ||
                         plot.points[i + 1].measured != plot.points[i].measured;
    if (i % every == 0 || is_last) kept.push_back(plot.points[i]);
  }
  plot.notes.push_back(fmt::format("{} of {} points are drawn", kept.size(), plot.points.size()));
  plot.points = std::move(kept);
}

// From the base units of the table to the units of the axes.
void add_measurements(Plot& plot, SeriesNames& names, const ColumnReader& x, const ColumnReader& y,
                      const ResultTable& measured) {
  const ResultColumn* const own_x = find_column(measured, x.column().name);
  const ResultColumn* const own_y = find_column(measured, y.column().name);
  if (!own_x || !own_y) return;
  const auto read = [](const ColumnReader& axis, const ResultColumn& column, std::size_t row) {
    ColumnReader own(column);
    if (axis.is_category()) {
      const auto& all = axis.categories();
      const auto place = std::find(all.begin(), all.end(), own.text(row));
      return place == all.end() ? std::nan("") : static_cast<double>(place - all.begin());
    }
    return axis.scale().shown(base_of(column, row));
  };
  for (std::size_t row = 0; row < measured.rows; ++row) {
    if (const auto series = names.of_measurement(measured, row))
      plot.points.push_back({read(x, *own_x, row), read(y, *own_y, row), 0, *series, true});
  }
}

// Notes it if an axis is without zero, since heights on it are no amounts.
void say_where_it_begins(Plot& plot) {
  const AxisSpan span = span_of(plot, &PlotPoint::y);
  if (plot.y.is_log || span.is_empty || shows_zero(plot.y, &PlotPoint::y, span)) return;
  plot.notes.push_back(fmt::format("the axis of {} begins at {}{}{}, not at 0", plot.y.name, tick_text(span.least),
                                   plot.y.unit.empty() ? "" : " ", plot.y.unit));
}

void put_in_order(Plot& plot) {
  std::stable_sort(plot.points.begin(), plot.points.end(), [](const PlotPoint& a, const PlotPoint& b) {
    return std::tie(a.measured, a.series, a.x) < std::tie(b.measured, b.series, b.x);
  });
  for (std::size_t i = 1; i < plot.points.size(); ++i) {
    const PlotPoint &before = plot.points[i - 1], &point = plot.points[i];
    if (!point.measured && before.series == point.series && before.x == point.x) plot.kind = Plot::Kind::points;
  }
}

// Gives points between what their samples lie.
void add_ranges(Plot& plot, const ResultTable& table, const ColumnReader& y) {
  const auto [low, high] = range_columns(table, y.column().name);
  if (!low || !high) return;
  for (std::size_t row = 0; row < table.rows; ++row) {
    plot.points[row].low = y.scale().shown(base_of(*low, row));
    plot.points[row].high = y.scale().shown(base_of(*high, row));
  }
  if (plot.has_ranges()) plot.notes.push_back("shaded: 95 % of the samples, 2.5 % lie below and 2.5 % above");
}

// Leaves out what has no place on the axes.
void keep_drawable(Plot& plot) {
  const std::size_t all = plot.points.size();
  std::erase_if(plot.points, [](const PlotPoint& point) { return !std::isfinite(point.x) || !std::isfinite(point.y); });
  const std::size_t finite = plot.points.size();
  std::erase_if(plot.points, [&](const PlotPoint& point) {
    return (plot.x.is_log && point.x <= 0) || (plot.y.is_log && point.y <= 0);
  });
  note_left_out(plot, all - finite, finite - plot.points.size());
}

// On a logarithmic axis a range that begins at zero or below goes down to the end of the axis.
void cut_ranges(Plot& plot) {
  if (!plot.y.is_log) return;
  double least = std::numeric_limits<double>::infinity();
  for (const PlotPoint& point : plot.points) {
    least = std::min(least, point.y);
    if (point.has_range() && point.low > 0) least = std::min(least, point.low);
  }
  std::size_t cut = 0;
  for (PlotPoint& point : plot.points) {
    if (!point.has_range() || point.low > 0) continue;
    point.low = least;
    ++cut;
  }
  if (cut > 0)
    plot.notes.push_back(fmt::format("{} to zero or below: cut where the logarithmic axis begins",
                                     frontend::counted(cut, "range reaches", "ranges reach")));
}

// Why a logarithmic axis leaves nothing to draw. Empty if it leaves something, or if no point has a value.
std::string why_empty(const Plot& plot, const PlotChoice& choice, const std::vector<double>& xs,
                      const std::vector<double>& ys) {
  if (!plot.points.empty()) return "";
  const auto has_none = [](const std::vector<double>& values) {
    const bool is_there = std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    return is_there && std::none_of(values.begin(), values.end(), [](double value) { return value > 0; });
  };
  if (plot.x.is_log && has_none(xs)) return why_not_log(choice.x);
  if (plot.y.is_log && has_none(ys)) return why_not_log(choice.y);
  return "";
}

// `results` names the column of several results, which tells series apart; empty for one result.
std::variant<Plot, std::string> plot_lines(const ResultTable& table, const PlotChoice& choice,
                                           const ResultTable* measured, const std::string& results) {
  const ColumnReader x(*find_column(table, choice.x)), y(*find_column(table, choice.y));
  if (y.is_category()) return fmt::format("`{}` is no number", choice.y);
  const auto xs = numbers_of(x, table.rows), ys = numbers_of(y, table.rows);
  Plot plot;
  plot.x = x.axis(choice.x_log.value_or(suits_log(xs)));
  plot.y = y.axis(choice.y_log.value_or(plot.x.is_log && spans_sizes(ys)));
  plot.title = fmt::format("{} over {}", choice.y, choice.x);
  SeriesNames names(series_columns(table, choice, results), table.rows);
  for (std::size_t row = 0; row < table.rows; ++row)
    plot.points.push_back({xs[row], ys[row], 0, names.of_row(row), false});
  add_ranges(plot, table, y);
  if (measured) add_measurements(plot, names, x, y, *measured);
  plot.by = names.title();
  plot.series = names.names();
  plot.series_are_ordered = names.is_ordered();
  if (plot.series.empty() || plot.by.empty()) plot.series = {choice.y};

  keep_drawable(plot);
  if (std::string why = why_empty(plot, choice, xs, ys); !why.empty()) return why;
  join_repeated(plot, choice.bars);
  cut_ranges(plot);
  keep_few_series(plot);
  put_in_order(plot);
  thin_out(plot);
  say_where_it_begins(plot);
  plot.words = describe(plot);
  return plot;
}

std::variant<Plot, std::string> plot_several(const ResultTable& table, const std::vector<std::string>& names,
                                             const PlotChoice& choice, const ResultTable* measured) {
  if (names.size() > most_series)
    return fmt::format("{} results are asked for, and {} lines can be told apart", names.size(), most_series);
  const auto made = join_results(table, names, {choice.x, choice.by.value_or(choice.x)});
  if (const auto* const why = std::get_if<std::string>(&made)) return *why;
  const auto& joined = std::get<JoinedResults>(made);
  PlotChoice of_all = choice;
  of_all.y = joined.result;
  const ResultTable joined_measured = measured ? join_measurements(*measured, names, joined) : ResultTable();
  return plot_lines(joined.table, of_all, &joined_measured, joined.results);
}

bool has_three_values(const ColumnReader& reader, std::size_t rows) {
  std::set<double> values;
  for (std::size_t row = 0; row < rows && values.size() < 3; ++row) {
    if (const double number = reader.number(row); std::isfinite(number)) values.insert(number);
  }
  return values.size() == 3;
}

}  // namespace

std::variant<Plot, std::string> plot_columns(const ResultTable& table, const PlotChoice& choice,
                                             const ResultTable* measured) {
  const auto ys = names_in(table, choice.y), xs = names_in(table, choice.x);
  for (const auto* const names : {&xs, &ys}) {
    for (const std::string& name : *names) {
      if (!find_column(table, name)) return why_no_column(table, name);
    }
  }
  if (choice.by && !find_column(table, *choice.by)) return why_no_column(table, *choice.by);
  if (xs.size() > 1) {
    if (xs.size() > 2 || ys.size() > 1) return "a map shows one result over two columns";
    if (choice.by) return fmt::format("a map has no lines for `by {}`", *choice.by);
    return plot_heat_map(table, xs[0], xs[1], ys[0], choice.y_log);
  }
  PlotChoice named = choice;
  named.x = xs.front();
  named.y = ys.front();
  return ys.size() == 1 ? plot_lines(table, named, measured, "") : plot_several(table, ys, named, measured);
}

std::vector<Plot> usual_plots(const ResultTable& table, const ResultTable* measured, ErrorBars bars) {
  std::vector<std::string> varied, results, numbers;
  for (const ResultColumn& column : table.columns) {
    const ColumnReader reader(column);
    if (!column.varied && !reader.is_category() && !is_of_spread(table, column)) results.push_back(column.name);
    if (!column.varied || !reader.differs()) continue;
    varied.push_back(column.name);
    if (!reader.is_category() && has_three_values(reader, table.rows)) numbers.push_back(column.name);
  }
  std::vector<Plot> plots;
  const auto add = [&](std::variant<Plot, std::string> plot) {
    if (auto* const made = std::get_if<Plot>(&plot); made && !made->points.empty()) plots.push_back(std::move(*made));
  };
  if (varied.empty()) return plots;
  // Numbers make a better axis than names.
  const std::string along = numbers.empty() ? varied.front() : numbers.front();
  for (const std::string& result : results) {
    add(plot_columns(table, {result, along, std::nullopt, std::nullopt, std::nullopt, bars}, measured));
    if (numbers.size() >= 2) add(plot_heat_map(table, numbers[0], numbers[1], result));
  }
  return plots;
}

}  // namespace wave::analysis::pictures
