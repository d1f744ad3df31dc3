// Tables as columns: what a column is called, of which quantity its values are and in which unit they are shown; the
// values themselves, and why there are none; and points with what was found at them.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/format/quantities.h"
#include "frontend/source/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// --- columns ---

// "total [s]".
inline std::string heading(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

// Quantities are in base units (ps, B, flop). Truth values, and words by their ordinals, are integers.
using ColumnValues = std::variant<std::vector<double>, std::vector<std::int64_t>>;

inline std::size_t length(const ColumnValues& values) {
  return std::visit([](const auto& column) { return column.size(); }, values);
}

enum class CellKind : std::uint8_t { real = 0, integer = 1, truth = 2, word = 3 };

// How much one quantity changes with another, which is as large as `by_value`. It is shown in a unit of the one for a
// unit of the other, `ns/(GB/s)`; if both have the same dimension, it is a plain number.
struct Ratio {
  frontend::Dimension of, by;
  std::optional<frontend::Unit> of_unit;  // that was asked for
  double by_value = 0;
};

// What stands above a column.
struct Column {
  std::string name, doc;
  CellKind kind{};
  // Of quantities: what a value in base units is in the unit that is shown, value * multiplier / divisor.
  std::string unit;
  double multiplier = 1, divisor = 1;
  frontend::Dimension dimension;
  std::optional<Ratio> ratio;          // of the same dimension, which alone does not say how it is shown
  bool unit_was_asked = false;         // else it is the standard one
  std::vector<std::string> words;      // by ordinal; none of strings that are found, which their cells bring along
  std::optional<ColumnValues> listed;  // of what varies

  double shown(double value) const { return value * multiplier / divisor; }
  std::string heading() const { return analysis::heading(name, unit); }
};

// A column of this type. `labels` are the words of what is neither a number nor a choice.
Column make_column(const std::string& name, const std::string& doc, const frontend::TypeRef& type,
                   const std::optional<frontend::Unit>& unit, const std::vector<std::string>& labels);
Column make_column(const std::string& name, const Ratio& ratio);

// In seconds, bytes and flop, whatever was asked for.
frontend::Scale standard_scale(const Column& column);
// The unit in which these values of a quantity are easiest to read, unless one was asked for.
frontend::Scale readable_scale(const Column& column, const std::vector<double>& values);

// What stands in a column, of some rows or of all.
struct Cells {
  ColumnValues values;
  std::vector<std::uint64_t> missing;  // rows at which it failed, counted in the whole table, rising
  std::vector<std::string> labels;     // of strings: their texts, counted by `values`
};

// The word that an ordinal stands for, from `labels`. If there are none, the column's own words are used.
std::string_view word_of(const Column& column, const std::vector<std::string>& labels, std::int64_t ordinal);

// A whole number, truth value or word as it reads; with `labels` as above.
std::string cell_text(const Column& column, const std::vector<std::string>& labels, std::int64_t value);

// --- what failed, and where ---

// An engine reports a failure at each row of a batch. From there through tables, chunks and journals to the page it has
// the form that stands here.

// Why some rows have no value: they all failed in this way.
struct RowFailure {
  // True of every row that failed in this way: the author's words, of `error` and `require`; else the title of the
  // kind.
  std::string words;
  // Of the first such row: kind, message, and the location in the model. One that was read from a journal has only its
  // kind and its message.
  frontend::Diagnostic diagnostic{};

  frontend::DiagnosticKind kind() const { return diagnostic.kind; }
  const std::string& message() const { return diagnostic.message; }
  // It took more time or memory than it was given, and might not fail again.
  bool was_given_up() const {
    return kind() == frontend::DiagnosticKind::out_of_time || kind() == frontend::DiagnosticKind::out_of_memory;
  }
  bool same_way(const RowFailure& other) const { return kind() == other.kind() && words == other.words; }
};

// "E0512: no machine has 13 nodes", as it stands in the row.
inline std::string error_text(const RowFailure& failure) {
  return std::string(code_of(failure.kind())) + ": " + failure.words;
}

// The rows of a table, or points of a study, that failed in one way.
struct FailedRows : RowFailure {
  std::vector<std::uint64_t> rows;  // rising
};

// How many rows failed: each is in one of the lists.
std::uint64_t count_rows(const std::vector<FailedRows>& failed);

// ", and in another one", ", and in 12 others": what follows the first of `count` rows that failed for the same reason.
std::string and_others(std::uint64_t count, std::string_view where = "in");

// The same for more rows than are kept: only their number and the first.
struct CountedFailure : RowFailure {
  std::uint64_t count = 0, first = 0;
};

// Collects what failed, row by row in any order. Of several failures in a row the first that is added counts.
class FailureList {
 public:
  explicit FailureList(std::size_t rows) : is_failed_(rows) {}
  void add(std::size_t row, const RowFailure& failure);
  // By their first rows.
  std::vector<FailedRows> take();

 private:
  std::vector<bool> is_failed_;
  std::vector<FailedRows> all_;
};

// Adds rows, shifted by `offset`, to those that failed in the same way.
void append_failed(std::vector<FailedRows>& all, const std::vector<FailedRows>& more, std::uint64_t offset);

// --- points, and what was found at them ---

// What studies write, pictures show, and fits read: cells, with the type and the unit that they were declared with.
// Reals are NaN where they failed. Machines, orders and strings are ordinals of their texts, the cells' labels.
struct ResultColumn : Cells {
  std::string name;        // "n", "net.L", "total", of a record its field
  frontend::TypeRef type;  // int, real with a dimension, bool, string, choice; where `labels` are, whatever it is
  std::optional<frontend::Unit> unit;  // `in ms`
  std::string doc;
  bool varied = false;  // an input; else something that was found
};

struct ResultTable {
  std::vector<ResultColumn> columns;  // all equally long
  std::size_t rows = 0;
  std::size_t in_lanes = 0;        // of these, how many were evaluated in vector lanes
  std::vector<FailedRows> failed;  // by first row; of several failures in a row the first counts
};

}  // namespace wave::analysis
