// Results as CSV (RFC 4180, but lines end with \n): a line a value. `row` counts from 1 and `column` is a field's or an
// index's name; both are empty for a single value.
#include "cli/cells.h"
#include "cli/csv_field.h"
#include "cli/json.h"
#include "cli/results.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::RowsShape;

std::string csv_text(ir::Scalar value, const frontend::ColumnInfo& column, const std::vector<std::string>& words) {
  if (value.type == ir::ScalarType::real) return shortest(full_scale(column).shown(value.real));
  return discrete_text(value, column.type, words);
}

std::string lines_of(const OutputResult& output, const std::vector<std::string>& words) {
  const auto& info = *output.info;
  if (output.status != OutputStatus::evaluated) {
    return fmt::format("{},,,,,failed {}\n", csv_field(info.name), output.failure);
  }
  std::string text;
  for (std::size_t i = 0; i < output.rows.cells.size(); ++i) {
    const auto& column = info.columns[i % info.columns.size()];
    const bool single = info.shape == RowsShape::single;
    const bool one_row = single || info.shape == RowsShape::record;
    text +=
        fmt::format("{},{},{},{},{},evaluated\n", csv_field(info.name),
                    one_row ? "" : fmt::format("{}", i / info.columns.size() + 1), single ? "" : csv_field(column.name),
                    csv_field(csv_text(output.rows.cells[i], column, words)), csv_field(full_scale(column).unit));
  }
  return text;
}

}  // namespace

std::string render_csv(const Results& results) {
  std::string text = "output,row,column,value,unit,status\n";
  for (const auto& output : results.outputs) text += lines_of(output, results.words);
  return text;
}

}  // namespace wave::cli
