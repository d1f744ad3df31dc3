// See conditions.h.
#include "analysis/study/conditions.h"

#include <algorithm>
#include <vector>

namespace wave::analysis {

std::variant<Selection, ir::Failure, ConditionFailed> find_points(
    StudyModel& conditions, const backend::Limits& limits, const std::function<void(std::uint64_t points)>& progress) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  const Product product(conditions);
  Selection chosen = conditions.selection().emptied();
  for (std::uint64_t begin = 0; begin < product.size(); begin += at_once) {
    const std::uint64_t end = std::min(product.size(), begin + at_once);
    auto outcome = conditions.evaluate(product.points(begin, end), limits);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    auto& table = std::get<ResultTable>(outcome);
    if (!table.failed.empty()) {
      const FailedRows first = table.failed.front();
      return ConditionFailed{first, std::move(table), static_cast<std::size_t>(first.rows.front())};
    }
    std::vector<const std::vector<std::int64_t>*> hold;
    for (const auto& column : table.columns) {
      if (!column.varied) hold.push_back(&std::get<std::vector<std::int64_t>>(column.values));
    }
    for (std::size_t row = 0; row < table.rows; ++row) {
      const auto holds = [&](const auto* condition) { return (*condition)[row] != 0; };
      if (std::all_of(hold.begin(), hold.end(), holds)) chosen.add(begin + row);
    }
    progress(end);
  }
  return chosen;
}

}  // namespace wave::analysis
