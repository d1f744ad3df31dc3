// Columns in the caller's memory: read into what a batch takes, and written from what it gives.
#pragma once

#include "api/c/batches.h"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::api {

// Refuses arrays that are none, or of another length than there are rows, and cells of a type that there is not.
void check_column(const wave_column& column, std::size_t rows);
void check_target(const wave_target& target, std::size_t rows);

// Whether it is a whole number of 64 bits.
bool is_whole(double value);

// The cell as it stands in a table: a number in the unit of the column, a word, a text.
std::string cell_text(const wave_column& column, std::size_t row, bool may_be_missing = false);

// A value of the column for lowering, which is of this row.
Number number_in(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head, std::size_t row);

// The ordinal of a word of a choice, or of a string among the words of what was prepared, which grow.
class Ordinals {
 public:
  // `prepared` may be null for a choice.
  Ordinals(const wave_column& column, const frontend::TypeRef& type, Prepared* prepared);
  std::int64_t at(std::size_t row);

 private:
  std::int64_t word(const std::string& text, std::size_t row) const;

  const wave_column& column_;
  const frontend::types::Choice* choice_;
  Prepared* prepared_;
  std::unordered_map<std::string, std::int64_t> known_;
};

// Reads a column part by part.
class ColumnReader {
 public:
  // Refuses cells of another type than the parameter. All outlive the object.
  ColumnReader(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head, Prepared& prepared);
  // The cells of begin <= row < end in base units, which stay until the next are read.
  backend::InputColumn read(std::size_t begin, std::size_t end);

 private:
  std::optional<std::span<const std::int64_t>> in_place(std::size_t begin, std::size_t end) const;
  template <class Cell>
  void read_reals(std::size_t begin, std::size_t end);
  void read_integers(std::size_t begin, std::size_t end);

  const wave_column& column_;
  const ColumnHead& head_;
  const bool is_real_;
  Ordinals ordinals_;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
};

// Writes what was found in the rows from `begin` on. `words` are those that ordinals count.
void write_target(const wave_target& target, std::size_t begin, const analysis::Cells& cells, const ColumnHead& head,
                  const Words& words);

}  // namespace wave::api
