// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

namespace wave::cli {

enum class Align { left, right };

struct Table {
  std::vector<std::string> header;  // empty: none
  std::vector<Align> align;         // one per column
  std::vector<std::vector<std::string>> rows;
};

// Two spaces between columns, nothing at the end of a line.
std::string render(const Table& table, std::string_view indent = "");

}  // namespace wave::cli
