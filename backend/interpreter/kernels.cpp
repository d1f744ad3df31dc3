// What is handed to kernels: the cells of recurrences, long loops, functions that are called very often.
#include "backend/interpreter/active_kernel.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"
#include "backend/interpreter/thresholds.h"
#include "backend/kernels/thresholds.h"
#include "backend/limits.h"
#include "base/clock.h"

#include <limits>
#include <utility>

namespace wave::backend::interpreter {

using ir::Scalar;

Evaluator::~Evaluator() = default;

std::vector<std::pair<std::string, std::int64_t>> Evaluator::indices_of_scope() const {
  std::vector<std::pair<std::string, std::int64_t>> indices;
  for (std::size_t i = scope_begin_; i < bound_.size(); ++i) {
    indices.emplace_back(system_[bound_[i]].name, binder_values_[bound_[i].index]);
  }
  return indices;
}

// --- recurrences ---

// Null: its cells are evaluated as they are. `known_seconds`: they turned out to take so many seconds.
ActiveKernel* Evaluator::kernel_of(const GroupPlan& plan, Activation& owner, std::optional<double> known_seconds) {
  if (!table_.is_used() || !prepared_.may_compile[plan.component]) return nullptr;
  if (const auto known = owner.kernels.find(plan.component); known != owner.kernels.end())
    return known->second->candidate().is_refused ? nullptr : known->second.get();
  Candidate& candidate = table_.component(plan.component);
  const double seconds =
      known_seconds.value_or(box(plan.group.space, owner).count * plan.nodes * kernels::seconds_per_node);
  if (!known_seconds && !table_.is_due(candidate, seconds, seconds)) return nullptr;
  kernels::Kernel* const kernel = table_.prepare(candidate);
  if (!kernel) return nullptr;
  const Scope scope(*this, owner, nullptr);
  auto made = std::make_unique<ActiveKernel>(*this, candidate, *kernel, seconds);
  made->give_inputs();
  return (owner.kernels[plan.component] = std::move(made)).get();
}

// What loops in cells repeat is not known beforehand: after 4, 8, 16, ... points it shows.
void Evaluator::look_after_cells() {
  const std::size_t done = cell_->done;
  if (done < points_before_judging || (done & (done - 1)) != 0) return;
  const double spent = seconds_since(cell_->began);
  const double left = spent / static_cast<double>(done) * (cell_->box->count - static_cast<double>(done));
  if (left < kernels::seconds_to_compile || !table_.is_due(*cell_->candidate, left, 0)) return;
  if (table_.prepare(*cell_->candidate)) throw TakesLong{left};
  cell_->candidate = nullptr;
}

// Nothing: it cannot be known now, or not at once.
std::optional<kernels::KeptCells> Evaluator::kept_cells(const ir::ReadPattern& pattern) {
  kernels::KeptCells cells;
  for (const auto& axis : pattern.axes) {
    cells.emplace_back();
    if (!axis) continue;
    if (!kernels::is_quick(system_, *axis)) return std::nullopt;
    try {
      cells.back() = evaluate_present(*axis).integer;
    } catch (const Failed& failed) {  // whoever reads them will find out
      if (failed.failure.is_limit()) throw;
      return std::nullopt;
    }
  }
  return cells;
}

void Evaluator::plan_cells(ActiveKernel& kernel, const GroupPlan& plan, Activation& owner) {
  const Scope scope(*this, owner, nullptr);
  const Box& space = box(plan.group.space, owner);
  kernels::GroupTask task;
  task.event = *kernel.excerpt().find(plan.group.events.front());
  task.extents = {space.first, space.last};
  for (const ir::EventId event : plan.group.events) {
    task.kept.emplace_back();
    for (const ir::ReadPattern& pattern : prepared_.reads(event)) {
      const auto cells = kept_cells(pattern);
      if (cells)
        task.kept.back().push_back(*cells);
      else
        task.keep_all = true;
    }
  }
  kernel.run([&](kernels::KernelEvaluation& evaluation) { evaluation.plan(task); });
}

bool Evaluator::evaluate_by_kernel(ActiveKernel& kernel, const GroupPlan& plan, GroupState& state) {
  const ir::EventId event = *kernel.excerpt().find(plan.group.events.front());
  bool is_done = false;
  kernel.run([&](kernels::KernelEvaluation& evaluation) {
    is_done = evaluation.evaluate(event, state.exactness, activations_);
  });
  if (!is_done) {
    kernel.candidate().refuse(kernel.evaluation().refusal());
    return false;
  }
  state.bytes = kernel.evaluation().bytes(event);
  state.kernel = &kernel;
  return true;
}

// Empty: it was, or nobody asked for it.
std::string Evaluator::why_not_compiled(const GroupPlan& plan, const GroupState& state) {
  if (table_.policy() != kernels::Policy::always || state.kernel || state.solution) return {};
  if (prepared_.may_compile[plan.component]) return table_.component(plan.component).why_not();
  const bool is_its_own = plan.schedule.kind == ir::ScheduleKind::on_demand;
  return is_its_own ? "it has no loop order" : "a recurrence that its cells look at has no loop order";
}

// --- loops ---

// `loop`: the reduction; not valid for rows.
void Evaluator::evaluate_loop(Candidate& candidate, ir::ValueId loop, const std::function<void()>& as_it_is,
                              const std::function<bool(ActiveKernel&)>& by_kernel) {
  const auto hand_over = [&](double seconds) {
    if (cell_ && table_.is_of_cell(loop)) {
      candidate.refuse("it is of a cell");
      return false;
    }
    kernels::Kernel* const kernel = table_.prepare(candidate);
    if (!kernel) return false;
    ActiveKernel active(*this, candidate, *kernel, seconds);
    active.give_inputs();
    if (!by_kernel(active)) {
      candidate.refuse(active.evaluation().refusal());
      return false;
    }
    std::vector<EventReport> reports;
    active.evaluation().reports(reports);
    for (EventReport& report : reports) add_report(std::move(report));
    return true;
  };
  const auto decided = kernels::decided();
  const bool is_due = decided.value_or(table_.policy() == kernels::Policy::always) && !candidate.is_refused;
  // How long it takes is not known then.
  if (is_due && hand_over(std::numeric_limits<double>::infinity())) return;
  if (decided || candidate.is_refused) return as_it_is();
  Watch watch{candidate};
  try {
    watch_ = &watch;
    as_it_is();
    watch_ = nullptr;
  } catch (const TakesLong& rest) {
    watch_ = nullptr;
    if (!hand_over(rest.seconds)) as_it_is();  // loops inside may have kernels
  } catch (...) {
    watch_ = nullptr;
    throw;
  }
}

Presence Evaluator::reduce(ir::ValueId id, const ir::Reduce& node, ir::ScalarType type) {
  if (!table_.is_used() || watch_) return reduce_as_is(node, type);
  const auto [place, is_new] = loops_.try_emplace({id.index, here_->frame.index});
  if (is_new) place->second = &table_.reduction(id, here_->frame);
  Presence result;
  evaluate_loop(
      *place->second, id, [&] { result = reduce_as_is(node, type); },
      [&](ActiveKernel& kernel) {
        kernel.run([&](kernels::KernelEvaluation& evaluation) { result = evaluation.result(activations_); });
        return result.has_value();
      });
  return result;
}

Rows Evaluator::rows(ir::RootId id) {
  const ir::Root& root = system_[id];
  const Scope scope(*this, root_, nullptr);
  Rows rows;
  if (root.precondition.valid()) evaluate_present(root.precondition);
  for (std::size_t number = 0; number < root.blocks.size(); ++number) {
    const ir::RowBlock& block = root.blocks[number];
    rows.columns = block.columns.size();
    if (!table_.is_used() || block.levels.empty()) {
      rows_as_they_are(block, rows);
      continue;
    }
    const std::size_t before = rows.cells.size();
    evaluate_loop(
        table_.rows(id, number), {},
        [&] {
          rows.cells.resize(before);
          rows_as_they_are(block, rows);
        },
        [&](ActiveKernel& kernel) {
          const std::size_t bytes = before * sizeof(Scalar);
          memory_.used += bytes;
          std::optional<Rows> more;
          kernel.run([&](kernels::KernelEvaluation& evaluation) { more = evaluation.rows(); });
          memory_.used -= bytes;
          if (!more) return false;
          rows.cells.resize(before);
          if (before == 0)
            rows.cells = std::move(more->cells);
          else
            rows.cells.insert(rows.cells.end(), more->cells.begin(), more->cells.end());
          return true;
        });
  }
  return rows;
}

// --- functions ---

// Nothing: it is not hot, or has no kernel.
std::optional<Scalar> Evaluator::call_hot(ir::DefinitionId definition, const std::vector<Scalar>& arguments) {
  if (calls_.empty()) calls_.resize(system_.definitions.size());
  HotCall& hot = calls_[definition.index];
  if (hot.candidate && hot.candidate->is_refused) return std::nullopt;
  const bool is_hot = ++hot.calls >= kernels::calls_until_hot;
  if (!kernels::decided().value_or(is_hot)) return std::nullopt;
  if (hot.calls == kernels::calls_until_very_hot && !hot.kernel_is_running) hot.kernel.reset();
  if (!hot.kernel) {
    if (!hot.candidate) hot.candidate = &table_.call(definition);
    kernels::Kernel* const kernel = table_.prepare(*hot.candidate);
    if (!kernel) return std::nullopt;
    const Scope scope(*this, root_, nullptr);
    auto made = std::make_unique<ActiveKernel>(*this, *hot.candidate, *kernel,
                                               static_cast<double>(hot.calls) * kernels::seconds_per_call);
    made->give_inputs();
    hot.kernel = std::move(made);
  }
  const std::vector<ir::DefinitionId>& places = hot.kernel->excerpt().arguments;
  for (std::size_t i = 0; i < places.size(); ++i) hot.kernel->evaluation().set(places[i], arguments[i]);
  std::optional<Scalar> result;
  const bool was_running = std::exchange(hot.kernel_is_running, true);
  try {
    hot.kernel->run([&](kernels::KernelEvaluation& evaluation) { result = evaluation.result(activations_); });
  } catch (...) {
    hot.kernel_is_running = was_running;
    throw;
  }
  hot.kernel_is_running = was_running;
  if (!result) hot.candidate->refuse(hot.kernel->evaluation().refusal());
  return result;
}

}  // namespace wave::backend::interpreter
