// The cells of a group in the order of its schedule, and the value of one cell.
#include "backend/interpreter/active_kernel.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"
#include "backend/interpreter/thresholds.h"
#include "backend/limits.h"
#include "backend/thresholds.h"
#include "base/clock.h"
#include "ir/arithmetic.h"

#include <algorithm>

namespace wave::backend::interpreter {

using ir::Scalar;

// --- orders ---

void Evaluator::move_to(const ir::Space& space, std::size_t axis, std::int64_t place) {
  cell_->point[axis] = place;
  set_binder(space.axes[axis].binder, cell_->box->first[axis] + place);
}

void Evaluator::evaluate_rows(const GroupPlan& plan, GroupState& state) {
  const BoundAxes bound(*this, system_[plan.group.space]);
  cell_->point.assign(cell_->box->extent.size(), 0);
  evaluate_row(plan, state, 0);
}

void Evaluator::evaluate_row(const GroupPlan& plan, GroupState& state, std::size_t level) {
  if (level == plan.schedule.order.size()) return evaluate_point(plan, state);
  const std::size_t axis = plan.schedule.order[level];
  const std::int64_t extent = cell_->box->extent[axis];
  for (std::int64_t i = 0; i < extent; ++i) {
    move_to(system_[plan.group.space], axis, plan.schedule.rising[axis] ? i : extent - 1 - i);
    evaluate_row(plan, state, level + 1);
  }
}

void Evaluator::evaluate_hyperplanes(const GroupPlan& plan, GroupState& state) {
  const BoundAxes bound(*this, system_[plan.group.space]);
  cell_->point.assign(cell_->box->extent.size(), 0);
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t axis = 0; axis < cell_->box->extent.size(); ++axis) {
    const std::int64_t reach = plan.schedule.theta[axis] * (cell_->box->extent[axis] - 1);
    (reach < 0 ? lowest : highest) += reach;
  }
  for (std::int64_t level = lowest; level <= highest; ++level) evaluate_hyperplane(plan, state, 0, level);
}

// The cells with theta . p = rest over the axes from this one on; the last axis that counts follows from the rest.
void Evaluator::evaluate_hyperplane(const GroupPlan& plan, GroupState& state, std::size_t axis, std::int64_t rest) {
  const std::vector<std::int32_t>& theta = plan.schedule.theta;
  if (axis == theta.size()) return evaluate_point(plan, state);
  const bool is_last = theta[axis] != 0 && std::all_of(theta.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                                                       theta.end(), [](auto t) { return t == 0; });
  std::int64_t from = 0, to = cell_->box->extent[axis] - 1;
  if (is_last) {
    if (rest % theta[axis] != 0) return;
    from = std::max(from, rest / theta[axis]);
    to = std::min(to, rest / theta[axis]);
  }
  for (std::int64_t i = from; i <= to; ++i) {
    move_to(system_[plan.group.space], axis, i);
    evaluate_hyperplane(plan, state, axis + 1, rest - theta[axis] * i);
  }
}

void Evaluator::evaluate_point(const GroupPlan& plan, GroupState& state) {
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < cell_->point.size(); ++axis)
    number += cell_->point[axis] * cell_->box->stride[axis];
  cell_->number = static_cast<std::size_t>(number);
  for (const ir::EventId event : plan.group.events) evaluate_cell(event, state);
  if (++cell_->done % cells_between_clock_reads == 0) watch_time(plan.group.events.front());
  if (cell_->candidate) look_after_cells();
}

// Gives up as soon as it is clear that the rest will not finish in time.
void Evaluator::watch_time(ir::EventId event) {
  look_at_clock();
  if (!limits_.deadline && limits_.observer == nullptr) return;
  const double elapsed = seconds_since(cell_->began);
  const double all = cell_->box->count;
  cell_->announcement.tell(limits_.observer, system_[event].name, all, "cells", elapsed,
                           static_cast<double>(cell_->done) / all);
  const double seconds = elapsed / static_cast<double>(cell_->done) * all;
  if (elapsed > seconds_until_judged && seconds - elapsed > hopeless_times_left * seconds_left(limits_)) {
    throw Failed{time_exceeded(system_, event, all, seconds, limits_)};
  }
}

// --- values ---

namespace {

std::vector<std::int64_t> indices_of(const Box& box, std::size_t cell) {
  std::vector<std::int64_t> indices;
  for (std::size_t axis = 0; axis < box.extent.size(); ++axis)
    indices.push_back(box.first[axis] + static_cast<std::int64_t>(cell) / box.stride[axis] % box.extent[axis]);
  return indices;
}

}  // namespace

void Evaluator::evaluate_cell(ir::EventId event, GroupState& state) {
  const Scalar value = cell_value(event, state);
  state.columns.at(event)->set(cell_->number, value);
}

Scalar Evaluator::cell_value(ir::EventId id, const GroupState& state) {
  const ir::Event& event = system_[id];
  if (event.general()) {
    Presence value = evaluate(event.body);
    if (!value && !event.otherwise.empty()) value = evaluate(event.otherwise.front());
    if (value) return *value;
    fail(ir::FailureKind::all_absent, event.site);
  }
  std::optional<double> greatest;
  for (const ir::Constraint& constraint : event.constraints) {
    const Presence bound = constraint_value(constraint, state, event);
    if (bound) greatest = greatest ? ir::arithmetic::maximum(*greatest, bound->real) : bound->real;
  }
  if (greatest) return Scalar::of(*greatest);
  double value = 0;
  if (event.otherwise.empty() || !add_weights(event.otherwise, state, event, event.location, false, value)) {
    fail(ir::FailureKind::all_absent, event.site);
  }
  return Scalar::of(value);
}

Presence Evaluator::constraint_value(const ir::Constraint& constraint, const GroupState& state,
                                     const ir::Event& event) {
  if (constraint.guard.valid()) {
    const Presence holds = evaluate(constraint.guard);
    if (!holds || !holds->boolean) return std::nullopt;
  }
  double sum = 0;
  if (constraint.source.valid()) {
    const auto cell = cell_at(constraint.offset);
    if (!cell) return std::nullopt;
    sum = value_at(constraint.source, *cell).real;
    const bool is_own = state.columns.count(constraint.source) > 0;
    if (!is_own) sum = on_quantum(sum, state, event, constraint.location);
  }
  if (!add_weights(constraint.weights, state, event, constraint.location, constraint.source.valid(), sum))
    return std::nullopt;
  return Scalar::of(sum);
}

// False where a weight is absent.
bool Evaluator::add_weights(const std::vector<ir::ValueId>& weights, const GroupState& state, const ir::Event& event,
                            Location location, bool has_source, double& sum) {
  for (const ir::ValueId weight : weights) {
    double rounded = 0;
    if (const auto hoisted = state.hoisted.find(weight); hoisted != state.hoisted.end()) {
      rounded = hoisted->second;
    } else {
      const Presence value = evaluate(weight);
      if (!value) return false;
      rounded = on_quantum(value->real, state, event, location);
    }
    sum = has_source ? sum + rounded : rounded;
    has_source = true;
  }
  return true;
}

double Evaluator::on_quantum(double weight, const GroupState& state, const ir::Event& event, Location location) {
  const auto rounded = ir::arithmetic::quantize(weight, state.exactness.quantum);
  if (rounded.failed) fail(rounded.kind, event.site, {Scalar::of(weight)}, location);
  return rounded.value;
}

std::optional<std::size_t> Evaluator::cell_at(const std::vector<std::int32_t>& offset) const {
  const Box& box = *cell_->box;
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    std::int64_t place = cell_->point[axis] + offset[axis];
    if (box.wrap[axis]) {
      place %= box.extent[axis];
      if (place < 0) place += box.extent[axis];
    } else if (place < 0 || place >= box.extent[axis]) {
      return std::nullopt;
    }
    number += place * box.stride[axis];
  }
  return static_cast<std::size_t>(number);
}

// A neighbour's value, of the own group or of one that is evaluated as a whole before.
Scalar Evaluator::value_at(ir::EventId event, std::size_t cell) {
  const auto own = cell_->group->columns.find(event);
  const bool is_own = own != cell_->group->columns.end();
  const GroupState& state = is_own ? *cell_->group : group_state(event);
  if (state.kernel) {
    const Box& space = box(system_[event].space, activation(system_[event].frame));
    return state.kernel->read(event, indices_of(space, cell));
  }
  const EventValues& column = is_own ? *own->second : *state.columns.at(event);
  if (column.is_known(cell)) return column.get(cell);
  if (prepared_.groups[prepared_.group_of[event.index]].schedule.kind != ir::ScheduleKind::on_demand) {
    internal_error("the schedule evaluates a cell before one that it depends on");
  }
  throw NeedsCell{event, cell};
}

Presence Evaluator::neighbour(const ir::Neighbour& node) {
  const auto cell = cell_at(node.offset);
  if (!cell) return std::nullopt;
  return value_at(node.event, *cell);
}

}  // namespace wave::backend::interpreter
