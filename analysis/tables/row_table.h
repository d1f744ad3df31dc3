// Tables that are made row by row, and the types of their columns.
#pragma once

#include "analysis/tables/table.h"
#include "frontend/lower/lower.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::analysis {

frontend::TypeRef text_type();
frontend::TypeRef count_type();
frontend::TypeRef truth_type();
frontend::TypeRef data_type();
frontend::TypeRef time_type();
frontend::TypeRef work_type();
frontend::TypeRef plain_type();  // a number without a dimension

// Quantities are in base units.
using Cell = std::variant<double, std::int64_t, bool, std::string>;

struct RowColumn {
  std::string name;
  frontend::TypeRef type;
  std::optional<frontend::Unit> unit;
  std::optional<Ratio> ratio = {};  // instead of a type

  frontend::ColumnInfo info() const { return {name, type, unit}; }
  Column column() const { return ratio ? make_column(name, *ratio) : make_column(name, "", type, unit, {}); }
};
// How much an output changes with a parameter.
RowColumn ratio_column(const std::string& name, const Ratio& ratio);

struct RowTable {
  std::string name, doc;
  std::vector<RowColumn> columns;
  std::vector<std::vector<Cell>> rows;
  frontend::RowsShape shape = frontend::RowsShape::records;
};

// A table of a single row: its columns with their cells.
using Field = std::pair<RowColumn, Cell>;
RowTable record_table(const std::string& name, const std::vector<Field>& fields);

}  // namespace wave::analysis
