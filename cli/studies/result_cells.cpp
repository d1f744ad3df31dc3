// See result_cells.h.
#include "cli/studies/result_cells.h"

#include "cli/append_number.h"
#include "cli/cells.h"
#include "cli/csv_field.h"
#include "cli/json.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::cli {

using analysis::CellKind;
using analysis::ColumnValues;
using analysis::StudyColumn;

std::string heading_of(const StudyColumn& column) { return heading(column.name, column.unit); }

double shown_value(const StudyColumn& column, double value) { return value * column.multiplier / column.divisor; }

std::string_view word_of(const StudyColumn& column, const std::vector<std::string>& labels, std::int64_t value) {
  const auto& words = labels.empty() ? column.words : labels;
  const auto ordinal = static_cast<std::size_t>(value);
  return value >= 0 && ordinal < words.size() ? std::string_view(words[ordinal]) : std::string_view();
}

namespace {

void append_integer(std::string& text, Notation notation, const StudyColumn& column,
                    const std::vector<std::string>& labels, std::int64_t value) {
  if (column.kind == CellKind::integer)
    append_number(text, value);
  else if (column.kind == CellKind::truth)
    text += value != 0 ? "true" : "false";
  else if (notation == Notation::json)
    text += json_string(word_of(column, labels, value));
  else
    text += csv_field(word_of(column, labels, value));
}

}  // namespace

void append_cell(std::string& text, Notation notation, const StudyColumn& column, const ColumnValues& values,
                 const std::vector<std::string>& labels, std::size_t row) {
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) {
    const double value = shown_value(column, (*reals)[row]);
    if (std::isfinite(value))
      append_number(text, value);
    else if (notation == Notation::json)
      text += "null";
    else
      append_number(text, value);
    return;
  }
  append_integer(text, notation, column, labels, std::get<std::vector<std::int64_t>>(values)[row]);
}

VariedCells::VariedCells(const analysis::StudyDescription& study, Notation notation) : selection_(study.selection) {
  columns_.resize(study.varied());
  std::uint64_t stride = 1;
  for (std::size_t i = columns_.size(); i-- > 0;) {
    const auto& column = study.columns[i];
    const std::size_t count = std::visit([](const auto& values) { return values.size(); }, *column.listed);
    columns_[i].stride = stride;
    columns_[i].texts.resize(count);
    for (std::size_t k = 0; k < count; ++k) append_cell(columns_[i].texts[k], notation, column, *column.listed, {}, k);
    stride *= count;
  }
}

}  // namespace wave::cli
