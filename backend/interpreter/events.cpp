// Reading events: the extents of their space, and the evaluation of a group when it is first needed.
#include "backend/interpreter/active_kernel.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"
#include "backend/interpreter/thresholds.h"
#include "backend/limits.h"
#include "ir/arithmetic.h"
#include "ir/printer.h"

#include <new>
#include <utility>

namespace wave::backend::interpreter {

using ir::Scalar;

namespace {

// Far fewer cells than this exhaust any memory; the count still fits a std::int64_t.
constexpr double most_cells = 0x1p62;

}  // namespace

const Box& Evaluator::box(ir::SpaceId id, Activation& owner) {
  if (const auto known = owner.boxes.find(id); known != owner.boxes.end()) return known->second;
  const Scope scope(*this, owner, nullptr);
  Box box;
  box.count = 1;
  for (const ir::Axis& axis : system_[id].axes) {
    const Scalar first = evaluate_present(axis.first);
    const Scalar last = evaluate_present(axis.last);
    std::int64_t extent = 0;
    const bool too_large =
        __builtin_sub_overflow(last.integer, first.integer, &extent) || __builtin_add_overflow(extent, 1, &extent);
    if (first.integer > last.integer) fail(ir::FailureKind::extent_not_positive, axis.site, {first, last});
    if (too_large) fail(ir::FailureKind::integer_overflow, axis.site, {first, last});
    box.first.push_back(first.integer);
    box.last.push_back(last.integer);
    box.extent.push_back(extent);
    box.wrap.push_back(axis.wrap);
    box.count *= static_cast<double>(extent);
  }
  box.stride.assign(box.extent.size(), 1);
  if (box.count < most_cells) {
    for (std::size_t axis = box.extent.size() - 1; axis > 0; --axis)
      box.stride[axis - 1] = box.stride[axis] * box.extent[axis];
  }
  return owner.boxes[id] = std::move(box);
}

GroupState& Evaluator::group_state(ir::EventId event) {
  Activation& owner = activation(system_[event].frame);
  const std::uint32_t number = prepared_.group_of[event.index];
  GroupState& state = owner.groups[number];
  if (state.progress == Progress::none) evaluate_group(number, owner, state);
  if (state.failure) throw Failed{*state.failure};
  return state;
}

Presence Evaluator::read(const ir::Read& node, const std::vector<Scalar>& indices) {
  const ir::Event& event = system_[node.event];
  const Box& space = box(event.space, activation(event.frame));
  std::size_t cell = 0;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const std::int64_t at = indices[axis].integer;
    if (at < space.first[axis] || at > space.last[axis]) {
      if (!node.site.valid()) return std::nullopt;
      if (indices.size() == 1) fail(ir::FailureKind::index_off_grid, node.site, {indices[0]});
      fail(ir::FailureKind::index_off_grid, node.site,
           {indices[axis], Scalar::of(space.first[axis]), Scalar::of(space.last[axis])});
    }
    cell += static_cast<std::size_t>(at - space.first[axis]) * static_cast<std::size_t>(space.stride[axis]);
  }
  const GroupState& state = group_state(node.event);
  if (!state.solution && !state.kernel) return cell_in(state, node.event, cell);
  std::vector<std::int64_t> point;
  for (const Scalar& index : indices) point.push_back(index.integer);
  return state.solution ? Scalar::of(state.solution->at(point)) : state.kernel->read(node.event, point);
}

// On the space; by kernels.
Scalar Evaluator::cell_of(ir::EventId id, std::span<const std::int64_t> indices) {
  const GroupState& state = group_state(id);
  if (state.solution) return Scalar::of(state.solution->at(indices));
  if (state.kernel) return state.kernel->read(id, indices);
  const Box& space = box(system_[id].space, activation(system_[id].frame));
  std::size_t cell = 0;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    cell += static_cast<std::size_t>(indices[axis] - space.first[axis]) * static_cast<std::size_t>(space.stride[axis]);
  }
  return cell_in(state, id, cell);
}

Scalar Evaluator::cell_in(const GroupState& state, ir::EventId id, std::size_t cell) {
  const ir::Event& event = system_[id];
  const auto found = state.columns.find(id);
  if (found == state.columns.end()) fail(ir::FailureKind::cyclic_recurrence, event.site, {}, event.location);
  if (found->second->is_known(cell)) return found->second->get(cell);
  if (prepared_.groups[prepared_.group_of[id.index]].schedule.kind != ir::ScheduleKind::on_demand) {
    internal_error("a cell is read before the schedule evaluates it");
  }
  throw NeedsCell{id, cell};
}

void Evaluator::evaluate_group(std::uint32_t number, Activation& owner, GroupState& state) {
  const GroupPlan& plan = prepared_.groups[number];
  const Unwatched unwatched(*this);
  state.progress = Progress::running;
  const auto forget = [&] {
    state.columns.clear();
    state.hoisted.clear();
    if (const auto kernel = owner.kernels.find(plan.component); kernel != owner.kernels.end())
      kernel->second->drop(plan.group.events.front());
    memory_.used -= std::exchange(state.bytes, 0);
    owner.memory[1].forget(clock_++);
  };
  try {
    for (const ir::EventId event : plan.group.events) box(system_[event].space, owner);
    if (!plan.may_shorten || !shorten(plan, owner, state)) {
      const auto evaluate = [&](ActiveKernel* kernel, bool may_hand_over) {
        if (evaluate_cells(plan, owner, state, kernel, may_hand_over)) return;
        forget();
        evaluate_cells(plan, owner, state, nullptr, false);
      };
      try {
        evaluate(kernel_of(plan, owner, {}), true);
      } catch (const TakesLong& rest) {
        forget();
        evaluate(kernel_of(plan, owner, rest.seconds), false);
      }
    }
  } catch (const Failed& failed) {
    forget();
    const bool is_told = !failed.cycle.valid();  // otherwise the cycle is found again
    state.progress = is_told ? Progress::done : Progress::none;
    if (is_told) state.failure = failed.failure;
    throw;
  } catch (...) {
    forget();
    state.progress = Progress::none;  // it waits for a cell of another activation
    throw;
  }
  state.progress = Progress::done;
  report(plan, owner, state);
}

bool Evaluator::evaluate_cells(const GroupPlan& plan, Activation& owner, GroupState& state, ActiveKernel* kernel,
                               bool may_hand_over) {
  if (kernel)
    plan_cells(*kernel, plan, owner);
  else
    reserve(plan, owner, state);
  {
    const Scope scope(*this, owner, nullptr);
    for (const ir::EventId source : plan.outside) group_state(source);
  }
  CellContext cell{&state, &box(plan.group.space, owner), {}, 0};
  if (may_hand_over && table_.is_used() && prepared_.may_compile[plan.component])
    cell.candidate = &table_.component(plan.component);
  const Scope scope(*this, owner, &cell);
  owner.memory[1].forget(clock_++);  // what depends on the quantum does not outlive its group
  hoist(plan, owner, state);
  state.exactness = find_exactness(plan, owner, state);
  if (kernel) {
    if (!evaluate_by_kernel(*kernel, plan, state)) return false;
  } else {
    for (auto& [weight, value] : state.hoisted) value = ir::arithmetic::round_to(value, state.exactness.quantum);
    switch (plan.schedule.kind) {
      case ir::ScheduleKind::rows: evaluate_rows(plan, state); break;
      case ir::ScheduleKind::hyperplane: evaluate_hyperplanes(plan, state); break;
      case ir::ScheduleKind::on_demand: evaluate_on_demand(plan, owner, state); break;
    }
  }
  owner.memory[1].forget(clock_++);
  return true;
}

// Nothing is allocated, or begun, that clearly exceeds the limits.
void Evaluator::reserve(const GroupPlan& plan, Activation& owner, GroupState& state) {
  double bytes = static_cast<double>(memory_.used), cells = 0;
  for (const ir::EventId event : plan.group.events) {
    const double count = box(system_[event].space, owner).count;
    cells += count;
    bytes += count * EventValues::bytes_per_cell;
    if (bytes > static_cast<double>(limits_.memory_bytes)) {
      throw Failed{memory_exceeded(system_, event, count, count * EventValues::bytes_per_cell, limits_)};
    }
    if (cells * least_seconds_per_cell > seconds_left(limits_)) {
      throw Failed{time_exceeded(system_, event, cells, cells * least_seconds_per_cell, limits_)};
    }
  }
  for (const ir::EventId event : plan.group.events) {
    const double count = box(system_[event].space, owner).count;
    try {
      state.columns[event] = std::make_unique<EventValues>(system_[event].type, static_cast<std::size_t>(count));
    } catch (const std::bad_alloc&) {
      throw Failed{memory_exceeded(system_, event, count, count * EventValues::bytes_per_cell, limits_)};
    }
  }
  state.bytes = static_cast<std::size_t>(bytes) - memory_.used;
  memory_.used += state.bytes;
}

void Evaluator::hoist(const GroupPlan& plan, Activation& owner, GroupState& state) {
  const Box& space = box(plan.group.space, owner);
  for (const ir::Hoisted& hoisted : plan.hoisted) {
    const bool is_needed =
        !hoisted.offset || ir::has_source(system_[plan.group.space], *hoisted.offset, space.first, space.last);
    if (!is_needed || state.hoisted.count(hoisted.value)) continue;
    const double weight = evaluate(hoisted.value)->real;
    const auto checked = ir::arithmetic::quantize(weight, 0);
    if (checked.failed) fail(checked.kind, system_[hoisted.event].site, {Scalar::of(weight)}, hoisted.location);
    state.hoisted[hoisted.value] = weight;
  }
}

void Evaluator::add_report(EventReport report) {
  if (reports_.size() < most_reports) reports_.push_back(std::move(report));
}

void Evaluator::report(const GroupPlan& plan, Activation& owner, const GroupState& state) {
  for (const ir::EventId event : plan.group.events) {
    EventReport report;
    report.event = system_[event].name;
    report.schedule = state.solution ? "closed form: " + state.solution->name()
                      : state.kernel ? state.kernel->schedule(event)
                                     : ir::schedule_text(system_, plan.group, plan.schedule);
    report.cells = box(system_[event].space, owner).count;
    report.not_compiled = why_not_compiled(plan, state);
    if (state.exactness.exact && system_[event].type == ir::ScalarType::real) {
      report.bound = state.exactness.bound;
      report.quantum = state.exactness.quantum;
      report.error = state.exactness.error;
    }
    add_report(std::move(report));
  }
}

}  // namespace wave::backend::interpreter
