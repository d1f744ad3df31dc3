// Evaluates points of a model within the session's limits, and reports those that failed.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/tables/row_table.h"
#include "cli/session.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// If time or memory runs out, this reports it and gives nothing.
std::optional<analysis::ResultTable> evaluate_points(Session& session, analysis::StudyModel& model,
                                                     std::vector<analysis::ColumnValues> points,
                                                     const std::function<void(std::size_t rows)>& progress = {});

// A table without rows, which shows the columns that the model has.
std::optional<analysis::ResultTable> table_of_no_points(analysis::StudyModel& model);

// Reports why the model gave no result at all.
void report_failure(Session& session, const analysis::StudyModel& model, const ir::Failure& failure);

// The rows that failed: row, code, words (true of each row that failed in this way). Rows count from 1; `row` from 0.
analysis::RowTable failed_table();
void add_failed_row(analysis::RowTable& table, std::uint64_t row, const analysis::RowFailure& failure);

}  // namespace wave::cli
