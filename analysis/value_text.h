// Single values as a person would write them: "14.74 s", "true", "eager".
#pragma once

#include "analysis/tables/table.h"
#include "frontend/format/quantities.h"
#include "frontend/lower/lower.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// The dimension of a column, where it is a quantity or a plain real.
std::optional<frontend::Dimension> dimension_of(const frontend::TypeRef& type);

bool is_text(const frontend::TypeRef& type);  // a string or a choice

double as_number(ir::Scalar value);

// Quantities in a unit; whole numbers, truth values, strings and choices as they are. `words` are those of the system.
std::string value_text(ir::Scalar value, const frontend::ColumnInfo& column, const frontend::Scale& scale, int digits,
                       const std::vector<std::string>& words);
// In the unit that was asked for, or in the one that suits the value.
std::string value_text(ir::Scalar value, const frontend::ColumnInfo& column, int digits,
                       const std::vector<std::string>& words);

// Significant digits of quantities at points.
inline constexpr int point_digits = 5;
// What was found at a point, or varies there, as it is written in the language: `32`, `1.5 us`, `SP2_C()`.
std::string value_text(const ResultColumn& column, std::size_t row);
// "n=32", as -D takes it, to the last bit. Nothing: it cannot be written so.
std::optional<std::string> override_text(const ResultColumn& column, std::size_t row);

}  // namespace wave::analysis
