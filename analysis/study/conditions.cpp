// See conditions.h.
#include "analysis/study/conditions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace wave::analysis {

namespace {

// Rows that failed, with the first one of their kind.
using Failed = std::map<std::uint64_t, const FailedRows*>;

Failed failed_rows(const ResultTable& table) {
  Failed rows;
  for (const FailedRows& failed : table.failed) {
    for (const std::uint64_t row : failed.rows) rows.emplace(row, &failed);
  }
  return rows;
}

// Takes those away at which something is not met that the model requires. A failure: out of time or memory.
std::optional<ir::Failure> leave_unmet(Failed& failed, const Product& product, std::uint64_t begin, StudyModel& results,
                                       const backend::Limits& limits) {
  for (auto first = failed.begin(); first != failed.end();) {
    auto last = first;
    std::uint64_t count = 0;
    while (last != failed.end() && last->first == first->first + count) ++count, ++last;
    const std::uint64_t at = begin + first->first;
    auto outcome = results.evaluate(product.points(at, at + count), limits);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    const std::uint64_t first_row = first->first;
    for (const auto& [row, why] : failed_rows(std::get<ResultTable>(outcome))) {
      using frontend::DiagnosticKind;
      const bool is_unmet =
          why->kind() == DiagnosticKind::require_failed || why->kind() == DiagnosticKind::outside_range;
      if (is_unmet) failed.erase(first_row + row);
    }
    first = last;
  }
  return std::nullopt;
}

}  // namespace

std::variant<Selection, ir::Failure, ConditionFailed> find_points(
    StudyModel& conditions, StudyModel& results, const backend::Limits& limits,
    const std::function<void(std::uint64_t points)>& progress) {
  constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  const Product product(conditions);
  Selection chosen = conditions.selection().emptied();
  for (std::uint64_t begin = 0; begin < product.size(); begin += at_once) {
    const std::uint64_t end = std::min(product.size(), begin + at_once);
    auto outcome = conditions.evaluate(product.points(begin, end), limits);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    auto& table = std::get<ResultTable>(outcome);
    const Failed undecided = failed_rows(table);
    Failed failed = undecided;
    if (auto failure = leave_unmet(failed, product, begin, results, limits)) return std::move(*failure);
    if (!failed.empty()) {
      const auto [row, why] = *failed.begin();
      RowFailure first = *why;
      return ConditionFailed{std::move(first), std::move(table), static_cast<std::size_t>(row)};
    }
    std::vector<const std::vector<std::int64_t>*> hold;
    for (const auto& column : table.columns) {
      if (!column.varied) hold.push_back(&std::get<std::vector<std::int64_t>>(column.values));
    }
    for (std::size_t row = 0; row < table.rows; ++row) {
      const auto holds = [&](const auto* condition) { return (*condition)[row] != 0; };
      const bool is_chosen = undecided.contains(row) || std::all_of(hold.begin(), hold.end(), holds);
      if (is_chosen) chosen.add(begin + row);
    }
    progress(end);
  }
  return chosen;
}

}  // namespace wave::analysis
