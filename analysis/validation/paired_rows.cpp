// What pairing.h says of rows: those at points as a table, and how many are at none.
#include "analysis/validation/pairing.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace wave::analysis {

ResultTable table_at_points(const StudyModel& points, const MeasuredData& data, const Pairing& pairing) {
  const auto& variables = points.variables();
  ResultTable all = data.table(), result;
  std::vector<std::size_t> rows;
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, members] : pairing.rows) {
    rows.insert(rows.end(), members.begin(), members.end());
    numbers.insert(numbers.end(), members.size(), number);
  }
  result.rows = rows.size();
  std::uint64_t stride = 1;
  for (std::size_t k = pairing.keys.size(); k-- > 0;) {
    const Variable& one = variables[pairing.keys[k]];
    const std::uint64_t count = length(*one.listed);
    ColumnValues values = std::visit(
        [&](const auto& listed) -> ColumnValues {
          std::remove_cvref_t<decltype(listed)> column;
          for (const std::uint64_t number : numbers) column.push_back(listed[number / stride % count]);
          return column;
        },
        *one.listed);
    result.columns.push_back({{std::move(values), {}, one.labels}, one.name, one.type, one.unit, one.doc, true});
    stride *= count;
  }
  std::reverse(result.columns.begin(), result.columns.end());
  for (ResultColumn& column : all.columns) {
    const auto is_same = [&](const ResultColumn& one) { return one.name == column.name; };
    if (column.varied && std::any_of(result.columns.begin(), result.columns.end(), is_same)) continue;
    std::visit(
        [&](auto& values) {
          std::remove_cvref_t<decltype(values)> some;
          for (const std::size_t row : rows) some.push_back(values[row]);
          values = std::move(some);
        },
        column.values);
    result.columns.push_back(std::move(column));
  }
  return result;
}

std::string text_of_elsewhere(const MeasuredData& data, const Pairing& pairing, const std::string& file) {
  if (pairing.elsewhere == 0) return "";
  return fmt::format("{} of {} rows of {} {} at no point of the study", frontend::grouped(pairing.elsewhere),
                     frontend::grouped(data.rows()), file, pairing.elsewhere == 1 ? "is" : "are");
}

}  // namespace wave::analysis
