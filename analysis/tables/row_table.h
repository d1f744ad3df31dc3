// Tables that are made row by row, and the types of their columns.
#pragma once

#include "frontend/lower/lower.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace wave::analysis {

frontend::TypeRef text_type();
frontend::TypeRef count_type();
frontend::TypeRef data_type();
frontend::TypeRef time_type();
frontend::TypeRef work_type();
frontend::TypeRef plain_type();  // a number without a dimension

// Quantities are in base units.
using Cell = std::variant<double, std::int64_t, bool, std::string>;

struct RowTable {
  std::string name, doc;
  std::vector<frontend::ColumnInfo> columns;
  std::vector<std::vector<Cell>> rows;
};

}  // namespace wave::analysis
