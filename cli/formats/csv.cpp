// CSV (RFC 4180, but lines end with \n). A table of rows has a line a row, headings as `total [s]`, and `error` last.
// Several tables are written as output,row,column,value,unit,status: a line a value, where `row` counts from 1 and
// `column` is a field's or an index's name; both are empty for a single value. Words that a spreadsheet would run stand
// behind an apostrophe.
#include "frontend/source/csv.h"

#include "base/text.h"
#include "cli/formats/document.h"
#include "cli/formats/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wave::cli {
namespace {

using frontend::RowsShape;

using frontend::csv_field;
using frontend::is_formula;

std::string joined_field(const std::vector<std::string>& words) { return csv_field(join_texts(words, "; ")); }

// A line of another table as it is, unless a cell of it would be a formula here.
void append_line(std::string& text, std::string_view line) {
  constexpr std::string_view before_cell = ",\" \t'";
  const auto may_begin_cell = [&](std::size_t at) {
    return at == 0 || before_cell.find(line[at - 1]) != std::string_view::npos;
  };
  bool is_suspect = false;
  for (std::size_t at = line.find_first_of("=+-@"); at != std::string_view::npos && !is_suspect;
       at = line.find_first_of("=+-@", at + 1))
    is_suspect = may_begin_cell(at);
  std::vector<frontend::CsvCell> cells;
  if (is_suspect) frontend::CsvReader(line).next(cells);
  if (std::none_of(cells.begin(), cells.end(), [](const auto& cell) { return is_formula(cell.unquoted()); })) {
    text += line;
    return;
  }
  for (std::size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? "," : "") + csv_field(cells[i].unquoted());
}

const Notation csv_notation{csv_field, joined_field, "", ""};

void write_rows(const OutputTable& table, const Sink& out) {
  const std::size_t given = table.lines ? table.lines->columns : 0;
  std::string text(table.lines ? table.lines->header : "");
  for (std::size_t i = given; i < table.columns.size(); ++i)
    text += (i > 0 ? "," : "") + csv_field(table.columns[i].column.heading());
  text += table.has_errors ? ",error\n" : "\n";
  const auto append = [&](std::string& line, RowTexts& texts, const RowRange& range, std::size_t row) {
    if (given > 0) append_line(line, table.lines->row(row));
    for (std::size_t i = given; i < table.columns.size(); ++i) {
      if (i > 0) line += ',';
      texts.append(line, i, row);
    }
    if (!table.has_errors) return;
    line += ',';
    if (const auto* const error = range.error(row)) line += csv_field(*error);
  };
  write_lines(table, csv_notation, std::move(text), out, append);
}

void write_values(const OutputTable& table, std::string& text) {
  if (!table.is_whole()) {
    text += fmt::format("{},,,,,{}\n", csv_field(table.name), fmt::format("failed {}", table.failed));
    return;
  }
  RowTexts texts(table, csv_notation);
  const bool is_single = table.shape == RowsShape::single, is_counted = !is_one_row(table.shape);
  table.each_range([&](const RowRange& range) {
    texts.take(range);
    for (std::size_t row = 0; row < table.rows; ++row) {
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& column = table.columns[i].column;
        text += fmt::format("{},{},{},", csv_field(table.name), is_counted ? fmt::format("{}", row + 1) : "",
                            is_single ? "" : csv_field(column.name));
        texts.append(text, i, row);
        text += fmt::format(",{},evaluated\n", csv_field(column.unit));
      }
    }
    return true;
  });
}

void write_csv(const Document& document, const Sink& out) {
  if (document.shape == Document::Shape::rows) return write_rows(document.tables.front(), out);
  std::string text = "output,row,column,value,unit,status\n";
  for (const auto& table : document.tables) {
    if (!table.is_beside) write_values(table, text);
  }
  out(text);
}

}  // namespace

extern const FormatInfo csv_format{"csv", ".csv", Takes::rows, write_csv, FormatInfo::Lines{1, true}};

}  // namespace wave::cli
