// JSON Lines: one object a row, with the headings of CSV as its keys. `error` is null where nothing failed. The rows of
// several tables name theirs as `output`, and count from 1 where there may be several.
#include "cli/formats/document.h"
#include "cli/formats/json.h"
#include "cli/formats/rows.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

void write_rows(const OutputTable& table, const std::string& name, const Sink& out) {
  std::vector<std::string> keys;
  for (const auto& one : table.columns)
    keys.push_back((keys.empty() && name.empty() ? "" : ", ") + json_string(one.column.heading()) + ": ");
  const bool is_counted = !name.empty() && !is_one_row(table.shape);
  const auto append = [&](std::string& line, RowTexts& texts, const RowRange& range, std::size_t row) {
    line += '{';
    if (!name.empty()) line += "\"output\": " + json_string(name);
    if (is_counted) line += fmt::format(", \"row\": {}", range.begin() + row + 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      line += keys[i];
      texts.append(line, i, row);
    }
    if (table.has_errors) {
      const auto* const error = range.error(row);
      line += ", \"error\": ";
      line += error == nullptr ? std::string("null") : json_string(*error);
    }
    line += '}';
  };
  write_lines(table, json_notation, "", out, append);
}

void write_json_lines(const Document& document, const Sink& out) {
  if (document.shape == Document::Shape::rows) return write_rows(document.tables.front(), "", out);
  for (const auto& table : document.tables) {
    if (table.is_beside) continue;
    if (table.is_whole()) {
      write_rows(table, table.name, out);
      continue;
    }
    const std::string status = fmt::format("failed {}", table.failed);
    out(fmt::format("{{\"output\": {}, \"status\": {}}}\n", json_string(table.name), json_string(status)));
  }
}

}  // namespace

extern const FormatInfo json_lines_format{"jsonl", ".jsonl", Takes::rows, write_json_lines,
                                          FormatInfo::Lines{0, false}};

}  // namespace wave::cli
