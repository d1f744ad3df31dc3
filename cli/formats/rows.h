// The cells of a table as texts, for formats of rows and lists. Numbers have the fewest digits that read back as the
// same double.
#pragma once

#include "cli/formats/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// How a format writes what is no number.
struct Notation {
  std::string (*word)(std::string_view text);
  std::string (*words)(const std::vector<std::string>& texts);  // several in one cell
  std::string_view nothing;                                     // where a cell failed
  std::string_view no_number;                                   // NaN and infinities; empty: as they are
};

// As people read it in a sentence.
extern const Notation plain_notation;

inline constexpr std::size_t piece_of_text = std::size_t{1} << 16;

class RowTexts {
 public:
  // Both outlive the object.
  RowTexts(const OutputTable& table, const Notation& notation);

  // From now on rows of this range are asked for, in rising order.
  void take(const RowRange& range);
  void append(std::string& text, std::size_t column, std::size_t row);
  // Where the value of a column that lists its values stands in its list.
  std::uint64_t listed_place(std::size_t column, std::size_t row) const;

 private:
  // The texts of what a column lists, of whose values a product has each many times: it is made once.
  struct Listed {
    std::vector<std::string> texts;  // none of rows of a table
    std::uint64_t stride = 1;        // places until it changes
  };
  struct Found {
    const analysis::Cells* cells = nullptr;
    std::size_t next_missing = 0;
  };
  bool is_missing(Found& found, std::uint64_t row) const;
  void append_cell(std::string& text, const analysis::Column& column, const analysis::ColumnValues& values,
                   const std::vector<std::string>& labels, std::size_t row) const;

  const OutputTable& table_;
  const Notation& notation_;
  std::vector<Listed> listed_;
  const RowRange* range_ = nullptr;
  std::vector<Found> found_;
};

// How many of the first columns list their values.
std::size_t listed_columns(const OutputTable& table);

// Writes a table row by row, each on lines of its own, piece by piece behind `text`. `append(text, texts, range, row)`
// adds a row without its last end of line.
template <class Append>
void write_lines(const OutputTable& table, const Notation& notation, std::string text, const Sink& out, Append append) {
  RowTexts texts(table, notation);
  const auto write_range = [&](const RowRange& range) {
    texts.take(range);
    for (std::size_t row = 0; row < range.size(); ++row) {
      append(text, texts, range, row);
      text += '\n';
      if (text.size() < piece_of_text) continue;
      const bool goes_on = out(text);
      text.clear();
      if (!goes_on) return false;
    }
    return true;
  };
  if (table.each_range(write_range) || !text.empty()) out(text);
}

}  // namespace wave::cli
