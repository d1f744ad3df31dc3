// See text_table.h.
#include "cli/formats/text_table.h"

#include "cli/display.h"

#include <algorithm>

namespace wave::cli {

namespace {

// Texts of models and of files may hold what a terminal takes for orders.
std::vector<std::string> harmless(const std::vector<std::string>& row) {
  std::vector<std::string> cells;
  cells.reserve(row.size());
  for (const auto& cell : row) cells.push_back(display(cell).text);
  return cells;
}

}  // namespace

std::string render(const ReadableTable& given, std::string_view indent) {
  ReadableTable table{harmless(given.header), given.align, {}};
  for (const auto& row : given.rows) table.rows.push_back(harmless(row));
  std::vector<std::size_t> widths(table.align.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);

  std::string result;
  const auto write = [&](const std::vector<std::string>& row) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += table.align[i] == Align::left ? pad_right(row[i], widths[i]) : pad_left(row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  if (!table.header.empty()) write(table.header);
  for (const auto& row : table.rows) write(row);
  return result;
}

}  // namespace wave::cli
