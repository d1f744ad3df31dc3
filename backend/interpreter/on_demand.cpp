// Cells as they are needed, where no order is known beforehand: a cell that meets one not yet known is given up and
// begins anew after it. The path of waiting cells is explicit; a cell that waits for itself is a cycle.
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"
#include "backend/limits.h"
#include "backend/thresholds.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::backend::interpreter {

namespace {

std::vector<std::int64_t> point_of(const Box& box, std::size_t cell) {
  std::vector<std::int64_t> point;
  for (std::size_t axis = 0; axis < box.extent.size(); ++axis) {
    point.push_back(static_cast<std::int64_t>(cell) / box.stride[axis] % box.extent[axis]);
  }
  return point;
}

}  // namespace

void Evaluator::evaluate_on_demand(const GroupPlan& plan, Activation& owner, GroupState& state) {
  for (const ir::EventId event : plan.group.events) {
    const EventValues& column = *state.columns.at(event);
    const auto count = static_cast<std::size_t>(box(system_[event].space, owner).count);
    for (std::size_t cell = 0; cell < count; ++cell) {
      if (!column.is_known(cell)) demand({event, cell}, plan, owner, state);
    }
  }
}

void Evaluator::demand(const NeedsCell& start, const GroupPlan& plan, Activation& owner, GroupState& state) {
  std::vector<NeedsCell> path{start};
  state.columns.at(start.event)->set_progress(start.cell, Progress::running);
  while (!path.empty()) {
    try {
      evaluate_alone(path.back(), owner, state);
      path.pop_back();
    } catch (const NeedsCell& needed) {
      const bool is_own =
          std::find(plan.group.events.begin(), plan.group.events.end(), needed.event) != plan.group.events.end();
      if (!is_own) throw;
      EventValues& column = *state.columns.at(needed.event);
      if (column.progress(needed.cell) == Progress::running) {
        const auto same = [&](const NeedsCell& other) {
          return other.event == needed.event && other.cell == needed.cell;
        };
        const auto from = std::find_if(path.begin(), path.end(), same);
        fail_with_cycle(path, static_cast<std::size_t>(from - path.begin()), owner);
      }
      column.set_progress(needed.cell, Progress::running);
      path.push_back(needed);
    }
    if (++cell_->done % cells_between_clock_reads == 0) look_at_clock();
  }
}

void Evaluator::evaluate_alone(const NeedsCell& cell, Activation& owner, GroupState& state) {
  const ir::Space& space = system_[system_[cell.event].space];
  cell_->box = &box(system_[cell.event].space, owner);
  cell_->number = cell.cell;
  cell_->point = point_of(*cell_->box, cell.cell);
  const BoundAxes bound(*this, space);
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) move_to(space, axis, cell_->point[axis]);
  evaluate_cell(cell.event, state);
}

void Evaluator::fail_with_cycle(const std::vector<NeedsCell>& path, std::size_t from, Activation& owner) {
  const auto text = [&](const NeedsCell& cell) {
    const Box& space = box(system_[cell.event].space, owner);
    std::string indices;
    const auto point = point_of(space, cell.cell);
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      indices += fmt::format("{}{}", axis == 0 ? "" : ", ", space.first[axis] + point[axis]);
    }
    return fmt::format("{}[{}]", system_[cell.event].name, indices);
  };
  constexpr std::size_t most_shown = 8;
  const ir::Event& event = system_[path[from].event];
  ir::Failure failure;
  failure.kind = ir::FailureKind::cyclic_recurrence;
  failure.site = event.site;
  failure.location = event.location;
  for (std::size_t i = from; i < path.size(); ++i) {
    const bool is_shown = i - from < most_shown || i + 1 == path.size();
    if (is_shown) failure.detail += text(path[i]) + " -> ";
    if (i - from == most_shown && i + 1 < path.size()) failure.detail += "... -> ";
  }
  failure.detail += text(path[from]);
  throw Failed{std::move(failure)};
}

}  // namespace wave::backend::interpreter
