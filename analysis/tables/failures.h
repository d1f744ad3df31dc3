// What failed, and where. An engine reports a failure at each row of a batch; from there through tables, chunks and
// journals to the page it has the form that stands here.
#pragma once

#include "frontend/source/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wave::analysis {

// Why a row has no value, in the same way as others.
struct RowFailure {
  // True of every row that failed in this way: the author's words, of `error` and `require`; else the title of the
  // kind.
  std::string words;
  // Of the first such row: kind, message, and the place in the model. One that was read from a journal has only its
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

// Of more rows than one keeps.
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

}  // namespace wave::analysis
