// A value of a result in one of the three notations.
#pragma once

#include "cli/quantities.h"
#include "frontend/lower/lower.h"

#include <string>
#include <vector>

namespace wave::cli {

// The dimension of a column, where it is a quantity or a plain real.
std::optional<frontend::Dimension> dimension_of(const frontend::TypeRef& type);

// Integers, truth values, strings and choices as they are.
std::string discrete_text(ir::Scalar value, const frontend::TypeRef& type, const std::vector<std::string>& words);
bool is_text(const frontend::TypeRef& type);  // a string or a choice

// "total [s]", "n".
std::string heading(const std::string& name, const std::string& unit);

// The unit in which a column is written in JSON and CSV, and for a number in it.
Scale full_scale(const frontend::ColumnInfo& column);

}  // namespace wave::cli
