// Steps, and the lags of lanes and events in them.
#include "backend/jit/sweep/extents.h"

#include <algorithm>
#include <limits>

namespace wave::jit::sweep {

namespace {

Lag lag_of(const Plan& plan, std::size_t axis, std::int64_t last_lane, bool in_places) {
  const auto on_axis = [&](const Offset& offset) -> std::int64_t {
    return in_places ? plan.schedule.lean.place(offset)[axis] : offset[axis];
  };
  Lag shift{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const Offset& of : plan.schedule.shift) {
    shift = {std::min(shift.least, on_axis(of)), std::max(shift.most, on_axis(of))};
  }
  const std::int64_t skew = on_axis(plan.schedule.skew) * last_lane;
  return {shift.least + std::min<std::int64_t>(skew, 0), shift.most + std::max<std::int64_t>(skew, 0)};
}

}  // namespace

Lag lag_in_steps(const Plan& plan, std::size_t axis, std::int64_t last_lane) {
  return lag_of(plan, axis, last_lane, false);
}

Lag lag_in_places(const Plan& plan, std::size_t axis, std::int64_t last_lane) {
  return lag_of(plan, axis, last_lane, true);
}

std::int64_t steps_on(std::size_t axis, const Plan& plan, const CallExtents& grid, std::int64_t last_lane) {
  const auto& extents = grid.extents;
  const Lean& lean = plan.schedule.lean;
  const std::int64_t leaning = axis == 0 ? 0
                               : axis == 1
                                   ? lean.rows_by_plane * (extents[0] - 1)
                                   : lean.columns_by_plane * (extents[0] - 1) + lean.columns_by_row * (extents[1] - 1);
  return extents[axis] + leaning + lag_in_steps(plan, axis, last_lane).most;
}

StepExtents::StepExtents(const Plan& plan, const CallExtents& grid, int lanes, int rows) {
  const std::int64_t columns = steps_on(2, plan, grid, lanes - 1), lines = steps_on(1, plan, grid, lanes - 1) + rows;
  line = plan.padding_columns + columns;
  plane = line * (plan.padding_rows + lines);
  record.column = record_bytes(plan.events.choices(), lanes);
  record.row = record.column * columns;
  record.plane = record.row * lines;
  record.block = record.plane * steps_on(0, plan, grid, lanes - 1);
  for (std::size_t event = 0; event < plan.events.events.size(); ++event) {
    const double planes = plan.planes_back[event] == 0 ? 0 : plan.one_plane[event] ? 1 : plan.planes_back[event] + 1;
    buffered += lanes * (2.0 * plan.rows_back[event] * static_cast<double>(line) + planes * static_cast<double>(plane));
  }
}

StripKinds which_strips(const Plan& plan, const CallExtents& grid, int last_lane, int rows) {
  StripKinds kinds{.inner = true, .border = false};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const Lag lag = lag_in_places(plan, axis, last_lane);
    const std::int64_t margins = plan.gates_low[axis] + lag.most + plan.gates_high[axis] - lag.least;
    kinds.inner = kinds.inner && grid.extents[axis] - margins >= (axis == 0 ? 1 : rows);
    kinds.border = kinds.border || margins > 0;
  }
  kinds.border = kinds.border || grid.extents[1] % rows != 0;
  return kinds;
}

}  // namespace wave::jit::sweep
