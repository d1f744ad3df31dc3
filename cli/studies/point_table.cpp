// See point_table.h.
#include "cli/studies/point_table.h"

#include "cli/formats/rows.h"
#include "cli/results.h"

namespace wave::cli {

void add_column(OutputTable& table, const analysis::ResultColumn& column) {
  table.columns.push_back(table_column(column, column.varied ? "parameter" : "result"));
}

std::string value_text(const analysis::ResultColumn& column, std::size_t row) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&column.values)) {
    const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
    return format_quantity((*reals)[row], dimension, column.unit, point_digits);
  }
  const TableColumn one = table_column(column, "");
  const std::int64_t value = std::get<std::vector<std::int64_t>>(column.values)[row];
  if (one.column.kind == analysis::CellKind::truth) return value != 0 ? "true" : "false";
  if (one.column.kind == analysis::CellKind::word) return std::string(word_of(one.column, one.cells.labels, value));
  return std::to_string(value);
}

}  // namespace wave::cli
