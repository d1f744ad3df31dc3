// Points and what was found at them as a table to be written.
#pragma once

#include "analysis/tables/table.h"
#include "cli/formats/document.h"

#include <string>

namespace wave::cli {

// Significant digits of quantities at points.
inline constexpr int point_digits = 5;

void add_column(OutputTable& table, const analysis::ResultColumn& column);

// A value of a column as it is written in the language: `32`, `1.5 us`, `SP2_C()`.
std::string value_text(const analysis::ResultColumn& column, std::size_t row);

}  // namespace wave::cli
