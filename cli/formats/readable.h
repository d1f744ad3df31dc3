// Aligned columns of text.
#pragma once

#include "cli/formats/document.h"

#include <string>
#include <string_view>

namespace wave::cli {

// Two spaces between columns, nothing at the end of a line.
std::string render(const ReadableTable& table, std::string_view indent = "");

// What a table says, as it is read: quantities in units that suit them, with so many significant digits.
ReadableTable readable(const OutputTable& table, int digits, std::uint64_t most_rows = ~std::uint64_t{0});
// Several tables below each other; single values and records together, a line each.
Passages readable(const std::vector<OutputTable>& tables, int digits);

}  // namespace wave::cli
