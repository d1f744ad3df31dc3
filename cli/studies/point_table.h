// Some points and what was found at them: for people, as CSV, and as rows of a JSON document.
#pragma once

#include "analysis/study/result_table.h"
#include "cli/json.h"

#include <string>
#include <vector>

namespace wave::cli {

class PointTable {
 public:
  explicit PointTable(std::size_t rows) : rows_(rows) {}

  void add(const analysis::ResultColumn& column);
  // Of words for each row. In JSON, texts that hold several are lists.
  void add(const std::string& name, std::vector<std::vector<std::string>> words);
  std::size_t rows() const { return rows_; }

  std::string table() const;
  std::string csv() const;
  // An array of objects, a row each, and what the columns are.
  void write_columns(JsonWriter& json) const;
  void write_rows(JsonWriter& json) const;

 private:
  struct Column {
    analysis::ResultColumn values;
    std::vector<std::vector<std::string>> words;  // in the place of values
    bool is_words = false;
  };
  std::size_t rows_;
  std::vector<Column> columns_;
};

// A value of a column as it is written in the language: `32`, `1.5 us`, `SP2_C()`.
std::string value_text(const analysis::ResultColumn& column, std::size_t row);

}  // namespace wave::cli
