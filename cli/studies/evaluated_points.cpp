// See evaluated_points.h.
#include "cli/studies/evaluated_points.h"

#include "analysis/study/variant.h"
#include "cli/limits.h"
#include "cli/progress.h"

#include <fmt/format.h>

#include <utility>

namespace wave::cli {

std::optional<analysis::ResultTable> evaluate_points(Session& session, analysis::StudyModel& model,
                                                     std::vector<analysis::ColumnValues> points,
                                                     const std::function<void(std::size_t rows)>& progress) {
  auto outcome = model.evaluate(std::move(points), engine_limits(session.options()), progress);
  if (auto* const table = std::get_if<analysis::ResultTable>(&outcome)) return std::move(*table);
  report_failure(session, model, std::get<ir::Failure>(outcome));
  return std::nullopt;
}

std::optional<analysis::ResultTable> table_of_no_points(analysis::StudyModel& model) {
  std::vector<analysis::ColumnValues> none;
  for (const auto& variable : model.variables()) {
    none.push_back(analysis::is_real(variable.type) ? analysis::ColumnValues(std::vector<double>{})
                                                    : std::vector<std::int64_t>{});
  }
  auto outcome = model.evaluate(std::move(none), {});
  auto* const table = std::get_if<analysis::ResultTable>(&outcome);
  return table != nullptr ? std::optional(std::move(*table)) : std::nullopt;
}

void report_failure(Session& session, const analysis::StudyModel& model, const ir::Failure& failure) {
  const auto& lowered = model.lowered();
  report(lowered.system, lowered.words, lowered.notes, failure, session.diagnostics());
}

analysis::RowTable failed_table() {
  return {
      "failed",
      "",
      {{"row", analysis::count_type(), {}}, {"code", analysis::text_type(), {}}, {"words", analysis::text_type(), {}}},
      {}};
}

void add_failed_row(analysis::RowTable& table, std::uint64_t row, const analysis::RowFailure& failure) {
  table.rows.push_back({static_cast<std::int64_t>(row + 1), std::string(code_of(failure.kind())), failure.words});
}

}  // namespace wave::cli
