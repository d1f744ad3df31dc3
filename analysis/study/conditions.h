// The points of a study at which its conditions hold.
#pragma once

#include "analysis/study/study_model.h"

#include <cstdint>
#include <functional>
#include <variant>

namespace wave::analysis {

// A condition that has no value at a point: a row of a table of points.
struct ConditionFailed {
  RowFailure failure;
  ResultTable table;
  std::size_t row = 0;
};

// The most points that are looked at one by one before a study begins, and remembered.
inline constexpr std::uint64_t most_points_looked_at = 1'000'000'000;

// `conditions` is a study that was made with StudyAsks::conditions, `results` the same study with what it shows. A
// point where a condition has no value because something that the model requires does not hold is among them: its
// results say so. A failure: out of time or memory.
std::variant<Selection, ir::Failure, ConditionFailed> find_points(
    StudyModel& conditions, StudyModel& results, const backend::Limits& limits,
    const std::function<void(std::uint64_t points)>& progress);

}  // namespace wave::analysis
