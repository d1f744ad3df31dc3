// JSON Lines: one object a row, with the headings of CSV as its keys. `error` is null where nothing failed. The rows of
// several tables name theirs as `output`, and count from 1 where there may be several.
#include "cli/formats/document.h"
#include "cli/formats/json.h"
#include "cli/formats/rows.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::RowsShape;

void write_rows(const OutputTable& table, const std::string& name, const Sink& out) {
  std::vector<std::string> keys;
  for (const auto& one : table.columns)
    keys.push_back((keys.empty() && name.empty() ? "" : ", ") + json_string(one.column.heading()) + ": ");
  const bool is_counted = !name.empty() && table.shape != RowsShape::single && table.shape != RowsShape::record;
  std::string text;
  RowTexts texts(table, json_notation);
  const auto write_block = [&](const RowBlock& block) {
    texts.take(block);
    for (std::size_t row = 0; row < block.size(); ++row) {
      text += '{';
      if (!name.empty()) text += "\"output\": " + json_string(name);
      if (is_counted) text += fmt::format(", \"row\": {}", block.begin() + row + 1);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        text += keys[i];
        texts.append(text, i, row);
      }
      if (table.has_errors) {
        const auto* const error = block.error(row);
        text += ", \"error\": ";
        text += error == nullptr ? std::string("null") : json_string(*error);
      }
      text += "}\n";
      if (text.size() < piece_of_text) continue;
      const bool goes_on = out(text);
      text.clear();
      if (!goes_on) return false;
    }
    return true;
  };
  if (table.each_block(write_block) || !text.empty()) out(text);
}

void write(const Document& document, const Sink& out) {
  if (document.shape == Document::Shape::rows) return write_rows(document.tables.front(), "", out);
  for (const auto& table : document.tables) {
    if (table.is_whole()) {
      write_rows(table, table.name, out);
      continue;
    }
    const std::string status = fmt::format("failed {}", table.failed);
    out(fmt::format("{{\"output\": {}, \"status\": {}}}\n", json_string(table.name), json_string(status)));
  }
}

}  // namespace

extern const FormatInfo json_lines_format{"jsonl", ".jsonl", Takes::rows, write, FormatInfo::Lines{0, false}};

}  // namespace wave::cli
