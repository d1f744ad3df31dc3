// Text in columns as spreadsheets and scripts write it (RFC 4180): cells between commas, in quotes if they hold one; or
// between semicolons, tabs or blanks. Lines that are empty or begin with `#` are skipped, as in the data files of
// tables. Nothing is copied: a million rows are a few dozen megabytes.
#pragma once

#include "frontend/source/sources.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::frontend {

// Whether a spreadsheet takes a text for a formula and runs it, perhaps only once the apostrophes in front of it are
// gone. A word like that is written behind one apostrophe more, which makes it a text and which `CsvReader` takes away.
bool begins_as_formula(std::string_view text);
// Whether a cell is one: it begins as one, and is no number.
bool is_formula(std::string_view text);
// A text as a cell: in quotes if it needs them, and never a formula. Line ends cannot be read again.
std::string csv_field(std::string_view text);

// A cell without the space around it, its quotes, and the apostrophe that keeps it from being a formula.
struct CsvCell {
  std::string_view text;
  std::uint32_t begin = 0, end = 0;  // in the whole text
  bool doubled_quotes = false;       // `""` in it stands for one
  bool has_escapes = false;          // `\"` in it stands for a quote, as in JSON
  bool is_plain() const { return !doubled_quotes && !has_escapes; }
  std::string unquoted() const;
};

class CsvReader {
 public:
  // What stands between two cells; `runs_of_blanks` are blanks and tabs, as many as there are.
  static constexpr char runs_of_blanks = ' ';
  // The text must have less than 4 GiB.
  explicit CsvReader(std::string_view text, char separator = ',');

  // What follows this many cells of a line is ignored, so that a line of mere commas does not take many times its own
  // memory.
  static constexpr std::size_t most_cells = std::size_t{1} << 20;

  // Reads the cells of the next line that has any. False at the end. A quote that is not closed on its line, or not
  // followed by a comma, is reported in `trouble`, and the rest of the line is one cell.
  bool next(std::vector<CsvCell>& cells);
  // Reads the cells of a line again that was read before, whatever it begins with: as a text of its own it might be a
  // comment.
  void again(std::uint32_t begin, std::uint32_t end, std::vector<CsvCell>& cells);

  // The line that was read last, without its end.
  std::uint32_t line_begin() const { return begin_; }
  std::uint32_t line_end() const { return end_; }

  struct Trouble {
    std::uint32_t begin = 0, end = 0;
  };
  const std::vector<Trouble>& trouble() const { return trouble_; }

 private:
  bool next_line();
  bool is_padding(char c) const { return (c == ' ' || c == '\t' || c == '\r') && (c != separator_ || c == ' '); }
  CsvCell quoted_cell(std::uint32_t& at);
  CsvCell plain_cell(std::uint32_t& at);
  CsvCell word(std::uint32_t& at);

  std::string_view text_;
  char separator_ = ',';
  TextLines lines_;
  std::uint32_t begin_ = 0, end_ = 0;
  std::vector<Trouble> trouble_;
};

// What stands between the cells of a table, as its first lines show: of those that divide the first line, the one that
// divides the second into as many cells.
char separator_of(std::string_view text);

// The name and the unit of a heading, `Wg [us]`. The unit is empty if there is none.
struct CsvHeading {
  std::string_view name, unit;
  std::uint32_t unit_begin = 0;  // in the whole text
};
CsvHeading split_heading(const CsvCell& cell);

}  // namespace wave::frontend
