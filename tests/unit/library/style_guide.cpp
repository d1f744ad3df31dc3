#include "style_guide.h"

#include <sstream>

namespace wave::library {
namespace {

std::string trimmed(const std::string& text, const std::string& what = " `") {
  const std::size_t first = text.find_first_not_of(what);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(what) - first + 1);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

}  // namespace

StyleGuide read_style_guide(const std::string& page) {
  StyleGuide guide;
  std::string table;
  std::stringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("|", 0) != 0) {
      table.clear();
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (table.empty()) {
      table = cells.front();
    } else if (cells.front().rfind("---", 0) != 0) {
      if (table == "key") guide.source_keys.push_back(cells.front());
      if (table == "symbol") guide.symbols[cells.front()] = cells.at(1);
    }
  }
  return guide;
}

}  // namespace wave::library
