// See column_reader.h.
#include "analysis/pictures/column_reader.h"

#include "base/text.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis::pictures {

namespace {

namespace types = frontend::types;

// The words that the ordinals of a type stand for. Empty if its values are numbers.
std::vector<std::string> words_of(const ResultColumn& column) {
  if (!column.labels.empty()) return column.labels;
  if (!column.type) return {};
  if (std::holds_alternative<types::Bool>(column.type->kind)) return {"false", "true"};
  if (const auto* const choice = std::get_if<types::Choice>(&column.type->kind)) return choice->words;
  return {};
}

}  // namespace

std::string why_no_column(const ResultTable& table, const std::string& name) {
  std::vector<std::string> names;
  for (const ResultColumn& column : table.columns) names.push_back(column.name);
  return fmt::format("there is no column `{}`: the columns are {}", name, frontend::quoted_list(names));
}

std::string why_not_log(const std::string& name) {
  return fmt::format("no value of `{}` is above zero, and `log` shows no others: `linear` does", name);
}

frontend::Dimension dimension_of(const ResultColumn& column) {
  const auto* const real = column.type ? std::get_if<types::Real>(&column.type->kind) : nullptr;
  return real ? real->dimension : frontend::Dimension{};
}

const ResultColumn* find_column(const ResultTable& table, const std::string& name) {
  for (const ResultColumn& column : table.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

ColumnReader::ColumnReader(const ResultColumn& column) : column_(&column), categories_(words_of(column)) {
  if (is_category()) return;
  if (column.unit) {
    scale_ = frontend::scale_of(*column.unit);
    return;
  }
  const auto* const reals = std::get_if<std::vector<double>>(&column.values);
  if (reals && !dimension_of(column).plain()) scale_ = frontend::readable_scale(dimension_of(column), *reals);
}

double ColumnReader::base(std::size_t row) const {
  if (const auto* const reals = std::get_if<std::vector<double>>(&column_->values)) return reals->at(row);
  return static_cast<double>(std::get<std::vector<std::int64_t>>(column_->values).at(row));
}

bool ColumnReader::is_missing(std::size_t row) const {
  return std::binary_search(column_->missing.begin(), column_->missing.end(), row);
}

double ColumnReader::number(std::size_t row) const {
  if (is_missing(row)) return std::numeric_limits<double>::quiet_NaN();
  const double value = base(row);
  if (!is_category()) return scale_.shown(value);
  const bool is_one = value >= 0 && value < static_cast<double>(categories_.size());
  return is_one ? std::floor(value) : std::numeric_limits<double>::quiet_NaN();
}

std::string ColumnReader::text(std::size_t row) const {
  if (is_missing(row)) return "failed";
  if (is_category()) {
    const double ordinal = number(row);
    return std::isnan(ordinal) ? "" : categories_[static_cast<std::size_t>(ordinal)];
  }
  if (const auto* const whole = std::get_if<std::vector<std::int64_t>>(&column_->values))
    return fmt::format("{}", whole->at(row));
  return tick_text(number(row));
}

std::string ColumnReader::exact_text(std::size_t row) const {
  return is_category() ? text(row) : fmt::format("{}", number(row));
}

bool ColumnReader::differs() const {
  return std::visit(
      [](const auto& values) {
        return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
      },
      column_->values);
}

PlotAxis ColumnReader::axis(bool is_log) const {
  PlotAxis axis;
  axis.name = column_->name;
  axis.unit = scale_.unit;
  axis.is_log = is_log && !is_category();
  axis.categories = categories_;
  return axis;
}

bool spans_sizes(const std::vector<double>& values) {
  constexpr double many_sizes = 20;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (value <= 0) return false;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return most >= many_sizes * least;
}

std::string point_name(const ResultTable& table, std::size_t row) {
  std::vector<std::string> texts;
  for (const auto& column : table.columns) {
    if (!column.varied) continue;
    const ColumnReader reader(column);
    const std::string& unit = reader.scale().unit;
    texts.push_back(fmt::format("{} = {}{}{}", column.name, reader.text(row), unit.empty() ? "" : " ", unit));
  }
  return join_texts(texts, ", ");
}

bool suits_log(std::vector<double> values) {
  if (!spans_sizes(values)) return false;
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  // If values are evenly spaced, the one in the middle is near the arithmetic mean of the ends, and if they rise by
  // factors, near the geometric mean.
  const double middle = values[values.size() / 2], first = values.front(), last = values.back();
  return values.size() >= 3 && middle < (first + last) / 4;
}

}  // namespace wave::analysis::pictures
