// See page_table.h.
#include "analysis/pictures/page_table.h"

#include "analysis/pictures/column_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

constexpr int digits = 5;

void say_what_is_left_out(PageTable& table, std::size_t all) {
  if (table.rows.size() < all) table.note = fmt::format("the first {} of {} rows", table.rows.size(), all);
}

std::vector<std::string> number_texts(const std::vector<double>& values) {
  const int decimals = frontend::common_decimals(values, digits);
  std::vector<std::string> texts;
  for (const double value : values) {
    if (!std::isfinite(value))
      texts.push_back("–");
    else
      texts.push_back(decimals >= 0 ? frontend::format_decimals(value, decimals)
                                    : frontend::format_number(value, digits));
  }
  return texts;
}

}  // namespace

PageTable page_table(const ResultTable& table, std::size_t most_rows) {
  PageTable texts;
  texts.rows.resize(std::min(table.rows, most_rows));
  for (const ResultColumn& column : table.columns) {
    const ColumnReader reader(column);
    texts.columns.push_back({reader.axis(false).title(), column.doc, !reader.is_category(), column.varied});
    const bool is_whole = !std::holds_alternative<std::vector<double>>(column.values) || reader.is_category();
    std::vector<double> numbers;
    for (std::size_t row = 0; row < texts.rows.size() && !is_whole; ++row) numbers.push_back(reader.number(row));
    const auto shown = number_texts(numbers);
    for (std::size_t row = 0; row < texts.rows.size(); ++row)
      texts.rows[row].push_back(is_whole || reader.is_missing(row) ? reader.text(row) : shown[row]);
  }
  say_what_is_left_out(texts, table.rows);
  return texts;
}

PageTable page_table(const Plot& plot, std::size_t most_rows) {
  PageTable texts;
  texts.caption = plot.title;
  const bool is_heat_map = plot.kind == Plot::Kind::heat_map, has_series = !plot.by.empty() && !is_heat_map;
  const bool has_value = is_heat_map || plot.kind == Plot::Kind::timeline;
  const bool has_measured = plot.has_measurements(), has_ranges = plot.has_ranges();
  if (has_series) texts.columns.push_back({plot.by, "", false, true});
  const auto add_axis = [&](const PlotAxis& axis) {
    texts.columns.push_back({axis.title(), "", !axis.is_category(), false});
  };
  if (plot.kind == Plot::Kind::bars) {
    add_axis(plot.y);
    add_axis(plot.x);
    std::swap(texts.columns[0], texts.columns[1]);
  } else {
    add_axis(plot.x);
    add_axis(plot.y);
  }
  if (has_value) add_axis(plot.value);
  if (has_ranges) texts.columns.push_back({"from", "", true, false}), texts.columns.push_back({"to", "", true, false});
  if (has_measured) texts.columns.push_back({"is", "", false, false});
  for (const PlotPoint& point : plot.points) {
    if (texts.rows.size() == most_rows) break;
    auto& row = texts.rows.emplace_back();
    if (plot.kind == Plot::Kind::bars) {
      row = {plot.y.text(point.y, digits), plot.series[point.series], plot.x.text(point.x, digits)};
      continue;
    }
    if (has_series) row.push_back(plot.series[point.series]);
    row.push_back(plot.x.text(point.x, digits));
    row.push_back(plot.y.text(point.y, digits));
    if (has_value) row.push_back(plot.value.text(point.value, digits));
    if (has_ranges) {
      for (const double end : {point.low, point.high})
        row.push_back(point.has_range() ? plot.y.text(end, digits) : "–");
    }
    if (has_measured) row.push_back(point.measured ? "measured" : "predicted");
  }
  say_what_is_left_out(texts, plot.points.size());
  return texts;
}

}  // namespace wave::analysis::pictures
