// See table_plots.h.
#include "analysis/pictures/table_plots.h"

#include "analysis/pictures/column_reader.h"
#include "base/text.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace wave::analysis::pictures {

namespace {

// No page can hold more points. A note says if others are left out.
constexpr std::size_t most_points = 4000;
constexpr std::size_t most_cells_a_side = 64;

using Readers = std::vector<ColumnReader>;

double base_of(const ResultColumn& column, std::size_t row) {
  return std::visit([&](const auto& values) { return static_cast<double>(values.at(row)); }, column.values);
}

std::vector<double> numbers_of(const ColumnReader& reader, std::size_t rows) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < rows; ++row) numbers.push_back(reader.number(row));
  return numbers;
}

std::string why_no_column(const ResultTable& table, const std::string& name) {
  std::vector<std::string> names;
  for (const ResultColumn& column : table.columns) names.push_back(column.name);
  return fmt::format("there is no column `{}`: the columns are {}", name, frontend::quoted_list(names));
}

// --- series ---

// The columns that tell series apart: `by`, and whatever else varies beside x.
Readers series_columns(const ResultTable& table, const PlotChoice& choice) {
  Readers readers;
  const ResultColumn* const x = find_column(table, choice.x);
  for (const ResultColumn& column : table.columns) {
    const bool is_by = choice.by && column.name == *choice.by;
    // If x is itself computed from what varies, everything that varies lies along it.
    const bool is_other = column.varied && column.name != choice.x && x && x->varied;
    if (!is_by && !is_other) continue;
    ColumnReader reader(column);
    if (is_by)
      readers.insert(readers.begin(), reader);
    else if (reader.differs())
      readers.push_back(reader);
  }
  return readers;
}

// The names of series by what their columns hold. They are in the order of numbers if there is one column of numbers,
// and otherwise in the order in which they come.
class SeriesNames {
 public:
  SeriesNames(Readers readers, std::size_t rows) : readers_(std::move(readers)) {
    for (std::size_t row = 0; row < rows; ++row) {
      add(joined(row, &ColumnReader::exact_text), joined(row, &ColumnReader::text),
          is_ordered() ? readers_.front().number(row) : 0);
    }
    if (is_ordered()) sort();
    // Two values that round to one text get all their digits.
    if (std::set<std::string>(names_.begin(), names_.end()).size() < names_.size()) {
      for (const auto& [key, number] : numbers_) names_[number] = key;
    }
  }

  bool is_ordered() const { return readers_.size() == 1 && !readers_.front().is_category(); }
  const std::vector<std::string>& names() const { return names_; }
  std::string title() const {
    std::vector<std::string> titles;
    for (const ColumnReader& reader : readers_) titles.push_back(reader.axis(false).title());
    return join_texts(titles, ", ");
  }
  std::size_t of_row(std::size_t row) const { return numbers_.at(joined(row, &ColumnReader::exact_text)); }
  // The series of a row of measurements is the one with the same values, if there is one. Measurements that do not say
  // which have a series of their own.
  std::optional<std::size_t> of_measurement(const ResultTable& measured, std::size_t row) {
    if (readers_.empty()) return 0;
    std::vector<std::string> exact;
    for (const ColumnReader& reader : readers_) {
      const ResultColumn* const column = find_column(measured, reader.column().name);
      if (!column) return add("measured", "measured", 0);
      const ColumnReader own(*column);
      const bool is_number = !own.is_category() && !reader.is_category();
      // In the unit in which the table has them.
      const double number = is_number ? reader.scale().shown(base_of(*column, row)) : 0;
      exact.push_back(is_number ? fmt::format("{}", number) : own.text(row));
    }
    const auto found = numbers_.find(join_texts(exact, ", "));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::string joined(std::size_t row, std::string (ColumnReader::*text)(std::size_t) const) const {
    std::vector<std::string> texts;
    for (const ColumnReader& reader : readers_) texts.push_back((reader.*text)(row));
    return join_texts(texts, ", ");
  }
  std::size_t add(const std::string& key, const std::string& name, double size) {
    const auto [place, is_new] = numbers_.try_emplace(key, names_.size());
    if (is_new) {
      names_.push_back(name);
      sizes_.push_back(size);
    }
    return place->second;
  }
  void sort() {
    std::vector<std::size_t> order(names_.size()), place(names_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes_[a] < sizes_[b]; });
    std::vector<std::string> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.push_back(names_[order[i]]);
      place[order[i]] = i;
    }
    names_ = std::move(sorted);
    for (auto& [key, number] : numbers_) number = place[number];
  }

  Readers readers_;
  std::vector<std::string> names_;
  std::vector<double> sizes_;
  std::map<std::string, std::size_t> numbers_;  // by values with all digits
};

// --- points ---

void leave_out(Plot& plot, std::size_t failed, std::size_t unknown_on_log) {
  if (failed > 0)
    plot.notes.push_back(fmt::format("{} without a value: not drawn", frontend::counted(failed, "point")));
  if (unknown_on_log > 0) {
    plot.notes.push_back(
        fmt::format("{} not above zero: not drawn on a logarithmic axis", frontend::counted(unknown_on_log, "point")));
  }
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

}  // namespace

std::variant<Plot, std::string> plot_columns(const ResultTable& table, const PlotChoice& choice,
                                             const ResultTable* measured) {
  for (const std::string& name : {choice.x, choice.y, choice.by.value_or(choice.x)}) {
    if (!find_column(table, name)) return why_no_column(table, name);
  }
  const ColumnReader x(*find_column(table, choice.x)), y(*find_column(table, choice.y));
  if (y.is_category()) return fmt::format("`{}` is no number", choice.y);
  const auto xs = numbers_of(x, table.rows), ys = numbers_of(y, table.rows);
  Plot plot;
  plot.x = x.axis(choice.x_log.value_or(suits_log(xs)));
  plot.y = y.axis(choice.y_log.value_or(plot.x.is_log && spans_sizes(ys)));
  plot.title = fmt::format("{} over {}", choice.y, choice.x);
  SeriesNames names(series_columns(table, choice), table.rows);
  for (std::size_t row = 0; row < table.rows; ++row)
    plot.points.push_back({xs[row], ys[row], 0, names.of_row(row), false});
  if (measured) add_measurements(plot, names, x, y, *measured);
  plot.by = names.title();
  plot.series = names.names();
  plot.series_are_ordered = names.is_ordered();
  if (plot.series.empty()) plot.series = {choice.y};
  if (plot.by.empty()) plot.series = {choice.y};

  const std::size_t all = plot.points.size();
  std::erase_if(plot.points, [](const PlotPoint& point) { return !std::isfinite(point.x) || !std::isfinite(point.y); });
  const std::size_t finite = plot.points.size();
  std::erase_if(plot.points, [&](const PlotPoint& point) {
    return (plot.x.is_log && point.x <= 0) || (plot.y.is_log && point.y <= 0);
  });
  leave_out(plot, all - finite, finite - plot.points.size());
  keep_few_series(plot);
  put_in_order(plot);
  thin_out(plot);
  say_where_it_begins(plot);
  plot.words = describe(plot);
  return plot;
}

namespace {

// The values of a column as categories in ascending order, as many as fit, and the category of each row, if it has one.
struct Side {
  PlotAxis axis;
  std::vector<std::optional<std::size_t>> of_row;
  std::size_t all = 0;
};

Side side_of(const ColumnReader& reader, std::size_t rows) {
  std::map<double, std::string> texts;
  for (std::size_t row = 0; row < rows; ++row) {
    if (const double number = reader.number(row); std::isfinite(number)) texts.try_emplace(number, reader.text(row));
  }
  Side side{reader.axis(false), {}, texts.size()};
  side.axis.categories.clear();
  // Two values that round to one text get all their digits.
  std::set<std::string> different;
  for (const auto& [value, text] : texts) different.insert(text);
  const bool is_exact = different.size() < texts.size() && !reader.is_category();
  const std::size_t every = (texts.size() + most_cells_a_side - 1) / most_cells_a_side;
  std::map<double, std::size_t> places;
  std::size_t number = 0;
  for (const auto& [value, text] : texts) {
    if (number++ % std::max<std::size_t>(1, every) != 0) continue;
    places[value] = side.axis.categories.size();
    side.axis.categories.push_back(is_exact ? fmt::format("{}", value) : text);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const auto place = places.find(reader.number(row));
    side.of_row.push_back(place == places.end() ? std::nullopt : std::optional(place->second));
  }
  return side;
}

}  // namespace

std::variant<Plot, std::string> plot_heat_map(const ResultTable& table, const std::string& x, const std::string& y,
                                              const std::string& value) {
  for (const std::string& name : {x, y, value}) {
    if (!find_column(table, name)) return why_no_column(table, name);
  }
  const ColumnReader values(*find_column(table, value));
  if (values.is_category()) return fmt::format("`{}` is no number", value);
  Plot plot;
  plot.kind = Plot::Kind::heat_map;
  plot.title = fmt::format("{} over {} and {}", value, x, y);
  const Side across = side_of(ColumnReader(*find_column(table, x)), table.rows);
  const Side upward = side_of(ColumnReader(*find_column(table, y)), table.rows);
  plot.x = across.axis;
  plot.y = upward.axis;
  Readers others;
  for (const ResultColumn& column : table.columns) {
    if (!column.varied || column.name == x || column.name == y) continue;
    ColumnReader reader(column);
    if (!reader.differs()) continue;
    plot.notes.push_back(fmt::format("at {} = {}", column.name, reader.text(0)));
    others.push_back(reader);
  }
  std::vector<double> sizes;
  std::size_t failed = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const bool is_here =
        std::all_of(others.begin(), others.end(), [&](const auto& one) { return one.text(row) == one.text(0); });
    if (!is_here || !across.of_row[row] || !upward.of_row[row]) continue;
    const double number = values.number(row);
    if (!std::isfinite(number)) {
      ++failed;
      continue;
    }
    sizes.push_back(number);
    plot.points.push_back(
        {static_cast<double>(*across.of_row[row]), static_cast<double>(*upward.of_row[row]), number, 0, false});
  }
  plot.value = values.axis(spans_sizes(sizes));
  leave_out(plot, failed, 0);
  for (const auto& [side, name] : {std::pair(&across, x), std::pair(&upward, y)}) {
    const std::size_t shown = side->axis.categories.size();
    if (shown < side->all) plot.notes.push_back(fmt::format("{} of {} values of {} are drawn", shown, side->all, name));
  }
  plot.words = describe(plot);
  return plot;
}

std::vector<Plot> usual_plots(const ResultTable& table, const ResultTable* measured) {
  std::vector<std::string> varied, results, numbers;
  for (const ResultColumn& column : table.columns) {
    const ColumnReader reader(column);
    if (!column.varied && !reader.is_category()) results.push_back(column.name);
    if (!column.varied || !reader.differs()) continue;
    varied.push_back(column.name);
    if (!reader.is_category() && side_of(reader, table.rows).all >= 3) numbers.push_back(column.name);
  }
  std::vector<Plot> plots;
  const auto add = [&](std::variant<Plot, std::string> plot) {
    if (auto* const made = std::get_if<Plot>(&plot); made && !made->points.empty()) plots.push_back(std::move(*made));
  };
  if (varied.empty()) return plots;
  // Numbers make a better axis than names.
  const std::string along = numbers.empty() ? varied.front() : numbers.front();
  for (const std::string& result : results) {
    add(plot_columns(table, {result, along, std::nullopt, std::nullopt, std::nullopt}, measured));
    if (numbers.size() >= 2) add(plot_heat_map(table, numbers[0], numbers[1], result));
  }
  return plots;
}

}  // namespace wave::analysis::pictures
