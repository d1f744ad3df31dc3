// Tables of text: a header and rows of cells, in CSV, as objects of JSON, or in Extra-P's text format. The text says
// itself which of them it is.
#pragma once

#include "frontend/source/csv.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

// What is wrong with the shape of a table, as a diagnostic says it.
struct TableTrouble {
  std::uint32_t begin = 0, end = 0;  // in the whole text
  std::string message, label;
  std::vector<std::string> notes, help;
  bool is_cut_off = false;  // a row with too few cells, in whose middle the text ends
};

enum class TableFormat : std::uint8_t { csv, json, extra_p };
TableFormat format_of(std::string_view text);

struct GatheredTable;

// A header and the rows below it, each of which has as many cells. Whoever reads columns reads them through it, so that
// all take and refuse the same texts in the same words. Of a table in CSV are passed over: a header that stands there
// once more, empty cells behind the last heading, and a first column without a name that counts the rows. Where an
// object of JSON lacks a member that others have, its cell is empty.
class TextTable {
 public:
  // As for `CsvReader`. Reads the header. `series` is the one that is read of several (see below).
  explicit TextTable(std::string_view text, std::string_view series = {});

  // Empty: the text has no line.
  const std::vector<CsvCell>& header() const { return header_; }
  // Reads the next row. False at the end.
  bool next();
  const std::vector<CsvCell>& cells() const { return cells_; }
  // What is wrong with the row that was read last, or with the header before the first. Cells of such a row belong to
  // no heading.
  const std::optional<TableTrouble>& trouble() const { return trouble_; }
  // Where the row that was read last stands, without the end of its line.
  std::uint32_t line_begin() const { return begin_; }
  std::uint32_t line_end() const { return end_; }
  // Whether the row that was read last has no end, neither that of a line nor the brace of an object.
  bool may_be_cut_off() const { return format_ != TableFormat::json && end_ == text_.size(); }
  // Reads a row again that stands there. False: none does.
  bool again(std::uint32_t begin, std::uint32_t end);
  // The cells of the first row; empty if there is none.
  const std::vector<CsvCell>& first_row() const { return first_row_; }

  TableFormat format() const { return format_; }
  std::string_view text() const { return text_; }
  // What files of Extra-P hold values of: "time", or "time of main->solve" where there are several call paths. The last
  // column is named after the one that is read. If there are several and none of them is chosen, that is the trouble of
  // the header.
  const std::vector<std::string>& series() const;
  // What was passed over, in words, once all rows are read.
  std::vector<std::string> remarks() const;

 private:
  bool read_line(std::vector<CsvCell>& cells);
  bool next_gathered();
  bool has_index() const;
  void take_gathered(std::size_t row);
  void set_range() { begin_ = reader_.line_begin(), end_ = reader_.line_end(); }
  TableTrouble wrong_width() const;
  bool repeats_header() const;

  std::string_view text_;
  TableFormat format_;
  CsvReader reader_;
  std::shared_ptr<const GatheredTable> gathered_;  // null: of CSV, which is read line by line
  std::size_t at_ = 0;                             // the next row of these
  std::vector<CsvCell> header_, cells_, first_row_;
  std::optional<TableTrouble> trouble_;
  std::uint32_t begin_ = 0, end_ = 0;
  bool counts_rows_ = false;  // the first column, which is left out
  std::size_t repeated_ = 0;  // headers
};

}  // namespace wave::frontend
