// See point_table.h.
#include "cli/studies/point_table.h"

#include "cli/cells.h"
#include "cli/csv_field.h"
#include "cli/results.h"
#include "cli/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::ResultColumn;
namespace types = frontend::types;

constexpr const char* between_words = "; ";

const std::vector<double>* reals_of(const ResultColumn& column) {
  return std::get_if<std::vector<double>>(&column.values);
}

// Of what is no real number.
std::string discrete(const ResultColumn& column, std::size_t row) {
  const std::int64_t value = std::get<std::vector<std::int64_t>>(column.values)[row];
  if (!column.labels.empty()) {
    return value >= 0 && static_cast<std::size_t>(value) < column.labels.size()
               ? column.labels[static_cast<std::size_t>(value)]
               : "";
  }
  if (column.type && std::holds_alternative<types::Bool>(column.type->kind)) return value != 0 ? "true" : "false";
  return discrete_text(ir::Scalar::of(value), column.type, {});
}

bool is_word(const ResultColumn& column) {
  return !column.labels.empty() ||
         (column.type && (std::holds_alternative<types::Bool>(column.type->kind) || is_text(column.type)));
}

Scale scale_of_column(const ResultColumn& column) { return full_scale({column.name, column.type, column.unit}); }

}  // namespace

void PointTable::add(const ResultColumn& column) { columns_.push_back({column, {}, false}); }

void PointTable::add(const std::string& name, std::vector<std::vector<std::string>> words) {
  Column column;
  column.values.name = name;
  column.words = std::move(words);
  column.is_words = true;
  columns_.push_back(std::move(column));
}

std::string PointTable::table() const {
  Table table;
  table.rows.resize(rows_);
  for (const Column& column : columns_) {
    const auto* reals = column.is_words ? nullptr : reals_of(column.values);
    std::string name = column.values.name;
    std::vector<std::string> texts;
    if (reals != nullptr) {
      const auto dimension = dimension_of(column.values.type).value_or(frontend::Dimension{});
      std::vector<double> finite, shown;
      for (const double value : *reals) {
        if (std::isfinite(value)) finite.push_back(value);
      }
      const bool keeps_unit = column.values.unit.has_value() || dimension.plain();
      const Scale scale = keeps_unit ? scale_of_column(column.values) : readable_scale(dimension, finite);
      for (const double value : finite) shown.push_back(scale.shown(value));
      const int decimals = common_decimals(shown, dimension.plain() ? plain_digits : table_digits + 1);
      for (const double value : *reals)
        texts.push_back(std::isfinite(value) ? format_decimals(scale.shown(value), decimals) : "");
      name = heading(name, scale.unit);
    } else {
      for (std::size_t row = 0; row < rows_; ++row) {
        texts.push_back(column.is_words ? fmt::format("{}", fmt::join(column.words[row], between_words))
                                        : discrete(column.values, row));
      }
    }
    table.header.push_back(name);
    table.align.push_back(column.is_words || (reals == nullptr && is_word(column.values)) ? Align::left : Align::right);
    for (std::size_t row = 0; row < rows_; ++row) table.rows[row].push_back(texts[row]);
  }
  return render(table);
}

std::string PointTable::csv() const {
  std::string text;
  for (const Column& column : columns_) {
    const bool has_unit = !column.is_words && reals_of(column.values) != nullptr;
    text += (text.empty() ? "" : ",") +
            csv_field(has_unit ? heading(column.values.name, scale_of_column(column.values).unit) : column.values.name);
  }
  text += '\n';
  for (std::size_t row = 0; row < rows_; ++row) {
    bool is_first = true;
    for (const Column& column : columns_) {
      if (!is_first) text += ',';
      is_first = false;
      if (column.is_words) {
        text += csv_field(fmt::format("{}", fmt::join(column.words[row], between_words)));
      } else if (const auto* reals = reals_of(column.values)) {
        if (std::isfinite((*reals)[row])) text += shortest(scale_of_column(column.values).shown((*reals)[row]));
      } else {
        text += csv_field(discrete(column.values, row));
      }
    }
    text += '\n';
  }
  return text;
}

void PointTable::write_columns(JsonWriter& json) const {
  json.key("columns").begin_array(JsonWriter::Layout::lines);
  for (const Column& column : columns_) {
    json.begin_object().key("name").value(column.values.name);
    if (!column.is_words && reals_of(column.values) != nullptr) {
      if (const Scale scale = scale_of_column(column.values); !scale.unit.empty()) json.key("unit").value(scale.unit);
    }
    if (!column.is_words) json.key("is").value(column.values.varied ? "parameter" : "result");
    json.end_object();
  }
  json.end_array();
}

void PointTable::write_rows(JsonWriter& json) const {
  json.key("rows").begin_array(JsonWriter::Layout::lines);
  for (std::size_t row = 0; row < rows_; ++row) {
    json.begin_object();
    for (const Column& column : columns_) {
      json.key(column.values.name);
      if (column.is_words) {
        json.begin_array();
        for (const std::string& word : column.words[row]) json.value(word);
        json.end_array();
      } else if (const auto* reals = reals_of(column.values)) {
        json.value(scale_of_column(column.values).shown((*reals)[row]));
      } else if (is_word(column.values)) {
        const auto& kind = column.values.type ? column.values.type->kind : decltype(column.values.type->kind){};
        if (std::holds_alternative<types::Bool>(kind))
          json.value(std::get<std::vector<std::int64_t>>(column.values.values)[row] != 0);
        else
          json.value(discrete(column.values, row));
      } else {
        json.value(std::get<std::vector<std::int64_t>>(column.values.values)[row]);
      }
    }
    json.end_object();
  }
  json.end_array();
}

std::string value_text(const ResultColumn& column, std::size_t row) {
  const auto* reals = reals_of(column);
  if (reals == nullptr) return discrete(column, row);
  const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
  return format_quantity((*reals)[row], dimension, column.unit, table_digits + 1);
}

}  // namespace wave::cli
