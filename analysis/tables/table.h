// A table as columns: what a column is called, of which quantity its values are, in which unit they are shown, the
// values themselves, and where there are none.
#pragma once

#include "frontend/ast/ast.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// Quantities are in base units (ps, B, flop). Truth values, and words by their ordinals, are integers.
using ColumnValues = std::variant<std::vector<double>, std::vector<std::int64_t>>;

inline std::size_t length(const ColumnValues& values) {
  return std::visit([](const auto& column) { return column.size(); }, values);
}

enum class CellKind : std::uint8_t { real = 0, integer = 1, truth = 2, word = 3 };

// What stands above a column.
struct Column {
  std::string name, doc;
  CellKind kind{};
  // Of quantities: what a value in base units is in the unit that is shown, value * multiplier / divisor.
  std::string unit;
  double multiplier = 1, divisor = 1;
  frontend::Dimension dimension;
  bool unit_was_asked = false;         // else it is the standard one of its dimension
  std::vector<std::string> words;      // by ordinal; none of strings that are found, which their cells bring along
  std::optional<ColumnValues> listed;  // of what varies

  double shown(double value) const { return value * multiplier / divisor; }
  std::string heading() const { return unit.empty() ? name : name + " [" + unit + "]"; }  // "total [s]"
};

// A column of this type. `labels` are the words of what is neither a number nor a choice.
Column make_column(const std::string& name, const std::string& doc, const frontend::TypeRef& type,
                   const std::optional<frontend::Unit>& unit, const std::vector<std::string>& labels);

// What stands in a column, of some rows or of all.
struct Cells {
  ColumnValues values;
  std::vector<std::uint64_t> missing;  // rows at which it failed, counted in the whole table, rising
  std::vector<std::string> labels;     // of strings: their texts, counted by `values`
};

// Of `labels`, or where there are none of the column's own words.
std::string_view word_of(const Column& column, const std::vector<std::string>& labels, std::int64_t ordinal);

}  // namespace wave::analysis
