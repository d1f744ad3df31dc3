// One cell of a study's results in CSV or JSON. Numbers have the fewest digits that read back as the same double.
#pragma once

#include "analysis/study/description.h"

#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

enum class Notation { csv, json };

// "total [s]".
std::string heading_of(const analysis::StudyColumn& column);

double shown_value(const analysis::StudyColumn& column, double value);
std::string_view word_of(const analysis::StudyColumn& column, const std::vector<std::string>& labels,
                         std::int64_t value);

// `labels` are those of a chunk, where its strings have some.
void append_cell(std::string& text, Notation notation, const analysis::StudyColumn& column,
                 const analysis::ColumnValues& values, const std::vector<std::string>& labels, std::size_t row);

// What varies, by point: every listed value is made text once.
class VariedCells {
 public:
  // The study outlives the object.
  VariedCells(const analysis::StudyDescription& study, Notation notation);
  std::size_t columns() const { return columns_.size(); }
  std::string_view at(std::size_t column, std::uint64_t point) const {
    const auto& one = columns_[column];
    return one.texts[selection_.place(point) / one.stride % one.texts.size()];
  }

 private:
  struct Column {
    std::vector<std::string> texts;
    std::uint64_t stride = 1;  // places until it changes
  };
  const analysis::Selection& selection_;
  std::vector<Column> columns_;
};

}  // namespace wave::cli
