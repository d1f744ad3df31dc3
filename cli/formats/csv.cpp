// CSV (RFC 4180, but lines end with \n). A table of rows has a line a row, headings as `total [s]`, and `error` last.
// Several tables are written as output,row,column,value,unit,status: a line a value, where `row` counts from 1 and
// `column` is a field's or an index's name; both are empty for a single value.
#include "cli/formats/document.h"
#include "cli/formats/rows.h"

#include <fmt/format.h>

#include <utility>

namespace wave::cli {
namespace {

using frontend::RowsShape;

// In quotes if it needs them.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string joined(const std::vector<std::string>& words) {
  return csv_field(fmt::format("{}", fmt::join(words, "; ")));
}

const Notation csv_notation{csv_field, joined, "", ""};

void write_rows(const OutputTable& table, const Sink& out) {
  const std::size_t given = table.lines ? table.lines->columns : 0;
  std::string text(table.lines ? table.lines->header : "");
  for (std::size_t i = given; i < table.columns.size(); ++i)
    text += (i > 0 ? "," : "") + csv_field(table.columns[i].column.heading());
  text += table.has_errors ? ",error\n" : "\n";
  const auto append = [&](std::string& line, RowTexts& texts, const RowRange& range, std::size_t row) {
    if (given > 0) line += table.lines->row(row);
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

void write(const Document& document, const Sink& out) {
  if (document.shape == Document::Shape::rows) return write_rows(document.tables.front(), out);
  std::string text = "output,row,column,value,unit,status\n";
  for (const auto& table : document.tables) write_values(table, text);
  out(text);
}

}  // namespace

extern const FormatInfo csv_format{"csv", ".csv", Takes::rows, write, FormatInfo::Lines{1, true}};

}  // namespace wave::cli
