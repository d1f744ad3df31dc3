// See table_plots.h: heat maps.
#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/table_plots.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wave::analysis::pictures {

namespace {

constexpr std::size_t most_cells_a_side = 64;

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
                                              const std::string& value, std::optional<bool> is_log) {
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
  std::vector<ColumnReader> others;
  for (const ResultColumn& column : table.columns) {
    if (!column.varied || column.name == x || column.name == y) continue;
    ColumnReader reader(column);
    if (!reader.differs()) continue;
    plot.notes.push_back(fmt::format("at {} = {}", column.name, reader.text(0)));
    others.push_back(reader);
  }
  std::vector<double> sizes;
  std::size_t failed = 0, below_zero = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const bool is_here =
        std::all_of(others.begin(), others.end(), [&](const auto& one) { return one.text(row) == one.text(0); });
    if (!is_here || !across.of_row[row] || !upward.of_row[row]) continue;
    const double number = values.number(row);
    if (!std::isfinite(number)) {
      ++failed;
      continue;
    }
    if (is_log.value_or(false) && number <= 0) {
      ++below_zero;
      continue;
    }
    sizes.push_back(number);
    plot.points.push_back(
        {static_cast<double>(*across.of_row[row]), static_cast<double>(*upward.of_row[row]), number, 0, false});
  }
  if (plot.points.empty() && below_zero > 0) return why_not_log(value);
  plot.value = values.axis(is_log.value_or(spans_sizes(sizes)));
  note_left_out(plot, failed, below_zero);
  for (const auto& [side, name] : {std::pair(&across, x), std::pair(&upward, y)}) {
    const std::size_t shown = side->axis.categories.size();
    if (shown < side->all) plot.notes.push_back(fmt::format("{} of {} values of {} are drawn", shown, side->all, name));
  }
  plot.words = describe(plot);
  return plot;
}

}  // namespace wave::analysis::pictures
