// From the time of a register back to what it was waited for, through operations of which it was recorded what was the
// later.
#pragma once

#include "backend/processes/bulk/array_run.h"
#include "backend/processes/bulk/plan_grid.h"
#include "backend/processes/bulk/sweep_form.h"
#include "backend/processes/bulk/sweep_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace wave::backend::processes {

// Where a path has come to, before or after some operations.
struct PathPoint {
  std::size_t process = 0;
  std::vector<std::int64_t> place;  // of the process, from 0
  Carried at = {};                  // its clock, or that of a pending operation
  double time = 0;                  // what it shows; ps
  bool tied = false;                // on the way, another path was as long
  void move_to(std::size_t to, const PlanGrid& grid);
};

// Is told of the weights on the path that are not 0, until it returns false; then the result is false, too. `tile`: of
// a sweep.
using OnPathWeight = std::function<bool(double weight, const OperationCause& cause, std::size_t process,
                                        std::optional<std::int64_t> tile)>;

// Through tiles [begin, end) of the piece, recorded from `begin` on.
[[nodiscard]] bool walk_back(const SweepPiece& piece, const std::vector<bool>& rising, const PlanGrid& grid,
                             std::int64_t begin, std::int64_t end, const SweepRecord& record, PathPoint& point,
                             const OnPathWeight& on_weight);
[[nodiscard]] bool walk_back(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
                             const ArrayRecord& record, PathPoint& point, const OnPathWeight& on_weight);

// Of a process at this place.
double value_at(const Field& field, const PlanGrid& grid, const std::vector<std::int64_t>& place);

}  // namespace wave::backend::processes
