// See rows.h.
#include "cli/formats/rows.h"

#include "base/text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>

namespace wave::cli {

using analysis::CellKind;
using analysis::Column;
using analysis::length;

namespace {

template <class Number>
void append_number(std::string& text, Number value) {
  char buffer[64];
  const char* const end = fmt::format_to(static_cast<char*>(buffer), FMT_COMPILE("{}"), value);
  text.append(static_cast<const char*>(buffer), end);
}

}  // namespace

std::size_t listed_columns(const OutputTable& table) {
  std::size_t count = 0;
  while (table.selection != nullptr && count < table.columns.size() && table.columns[count].column.listed) ++count;
  return count;
}

const Notation plain_notation{[](std::string_view text) { return std::string(text); },
                              [](const std::vector<std::string>& texts) { return join_texts(texts, ", "); }, "", ""};

RowTexts::RowTexts(const OutputTable& table, const Notation& notation)
    : table_(table), notation_(notation), listed_(listed_columns(table)), found_(table.columns.size()) {
  std::uint64_t stride = 1;
  for (std::size_t i = listed_.size(); i-- > 0;) {
    if (table.selection->of_rows()) break;
    const auto& column = table.columns[i].column;
    const std::size_t count = length(*column.listed);
    listed_[i].stride = stride;
    listed_[i].texts.resize(count);
    for (std::size_t k = 0; k < count; ++k) append_cell(listed_[i].texts[k], column, *column.listed, {}, k);
    stride *= count;
  }
}

void RowTexts::take(const RowRange& range) {
  range_ = &range;
  for (auto& one : found_) one = {};
}

bool RowTexts::is_missing(Found& found, std::uint64_t row) const {
  const auto& missing = found.cells->missing;
  while (found.next_missing < missing.size() && missing[found.next_missing] < row) ++found.next_missing;
  return found.next_missing < missing.size() && missing[found.next_missing] == row;
}

std::uint64_t RowTexts::listed_place(std::size_t column, std::size_t row) const {
  const std::uint64_t place = table_.selection->place(range_->begin() + row);
  if (table_.selection->of_rows()) return place;
  return place / listed_[column].stride % listed_[column].texts.size();
}

void RowTexts::append(std::string& text, std::size_t column, std::size_t row) {
  const auto& one = table_.columns[column];
  if (column < listed_.size()) {
    const std::uint64_t place = listed_place(column, row);
    if (table_.selection->of_rows())
      append_cell(text, one.column, *one.column.listed, {}, place);
    else
      text += listed_[column].texts[place];
  } else if (!one.lists.empty()) {
    text += notation_.words(one.lists[row]);
  } else {
    Found& found = found_[column];
    if (found.cells == nullptr) found.cells = &range_->cells(column);
    if (is_missing(found, range_->begin() + row))
      text += notation_.nothing;
    else
      append_cell(text, one.column, found.cells->values, found.cells->labels, row);
  }
}

void RowTexts::append_cell(std::string& text, const Column& column, const analysis::ColumnValues& values,
                           const std::vector<std::string>& labels, std::size_t row) const {
  if (const auto* const reals = std::get_if<std::vector<double>>(&values)) {
    const double value = column.shown((*reals)[row]);
    if (std::isfinite(value) || notation_.no_number.empty())
      append_number(text, value);
    else
      text += notation_.no_number;
    return;
  }
  const std::int64_t value = std::get<std::vector<std::int64_t>>(values)[row];
  if (column.kind == CellKind::truth)
    text += value != 0 ? "true" : "false";
  else if (column.kind == CellKind::word)
    text += notation_.word(word_of(column, labels, value));
  else
    append_number(text, value);
}

}  // namespace wave::cli
