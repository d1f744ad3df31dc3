// Markdown, as GitHub and most editors read it: the page that `table` shows, with tables between bars.
#include "cli/formats/document.h"
#include "cli/text.h"

#include <algorithm>

namespace wave::cli {
namespace {

// What has a meaning in Markdown, and what a terminal would obey.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : sanitize(text)) {
    if (std::string_view("\\`*_|<>[]#").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  result.erase(0, result.find_first_not_of(' '));
  return result.erase(result.find_last_not_of(' ') + 1);
}

// Every line of prose stays one.
void write_prose(std::string& text, const std::string& prose) {
  bool is_in_paragraph = false;
  for (std::size_t begin = 0; begin < prose.size();) {
    const std::size_t end = std::min(prose.find('\n', begin), prose.size());
    const std::string line = escaped(prose.substr(begin, end - begin));
    if (line.empty()) {
      if (is_in_paragraph) text += "\n\n";
    } else {
      text += (is_in_paragraph ? "  \n" : "") + line;
    }
    is_in_paragraph = !line.empty();
    begin = end + 1;
  }
  if (is_in_paragraph) text += "\n\n";
}

void write_row(std::string& text, const std::vector<std::string>& cells, std::size_t columns) {
  text += '|';
  for (std::size_t i = 0; i < columns; ++i) text += " " + (i < cells.size() ? escaped(cells[i]) : "") + " |";
  text += '\n';
}

void write_table(std::string& text, const ReadableTable& table) {
  if (table.rows.empty() && table.header.empty()) return;
  write_row(text, table.header, table.align.size());
  text += '|';
  for (const Align align : table.align) text += align == Align::left ? "---|" : "---:|";
  text += '\n';
  for (const auto& row : table.rows) write_row(text, row, table.align.size());
  text += '\n';
}

void write_markdown(const Document& document, const Sink& out) {
  std::string text;
  for (const auto& passage : document.page(document.tables)) {
    write_prose(text, passage.text);
    write_table(text, passage.table);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  out(text);
}

}  // namespace

extern const FormatInfo markdown_format{"markdown", ".md", Takes::page, write_markdown};

}  // namespace wave::cli
