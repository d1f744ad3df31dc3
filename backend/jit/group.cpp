// Evaluates a group of events: extents, limits, hoisted scalars, the quantum, then the kernel.
#include "backend/jit/group_evaluation.h"
#include "backend/limits.h"
#include "ir/arithmetic.h"
#include "ir/dependences.h"
#include "ir/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace wave::jit {

// --- scalars ---

bool GroupEvaluation::has_source(const std::vector<std::int32_t>& offset) const {
  const ir::Space& space = system_[events_.space];
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (!space.axes[axis].wrap && std::abs(std::int64_t{offset[axis]}) >= extent(axis)) return false;
  }
  return true;
}

// Groups that cells look at by offsets are evaluated before the first cell, needed or not.
Status GroupEvaluation::evaluate_sources() {
  for (const ir::EventId event : events_.events) {
    for (const ir::Dependence& dependence : layout_.dependences[event.index]) {
      const GroupIndex source = layout_.group_of[dependence.source.index];
      if (source == number_) continue;
      Record* const owner = run_.record_of(system_[dependence.source].frame, events_.frame, record_);
      if (run_.require_group(owner, source) != done) return failed;
    }
  }
  return done;
}

Status GroupEvaluation::fail_with_weight(const ir::Hoisted& hoisted, double weight) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::weight_not_finite;
  failure.site = system_[hoisted.event].site;
  failure.values = {ir::Scalar::of(ir::arithmetic::canonical(weight))};
  failure.location = hoisted.location;
  return run_.limit(std::move(failure));
}

Status GroupEvaluation::hoist() {
  for (const ir::Hoisted& hoisted : layout_.hoisted[number_]) {
    Word value = 0;
    if (!hoisted.offset || has_source(*hoisted.offset)) {
      if (run_.value(hoisted.value, events_.frame, record_, value) != done) return failed;
      const double weight = std::bit_cast<double>(value);
      if (!std::isfinite(weight)) return fail_with_weight(hoisted, weight);
      known_weights_[hoisted.value] = weight;
    }
    hoisted_.push_back(value);
  }
  return done;
}

namespace {

// A limit was exceeded while the bound was being worked out.
struct LimitExceeded {
  ir::Failure failure;
};

}  // namespace

// A limit that is exceeded must be reported. Any other failure of a definition belongs to the cell that needs it.
Status GroupEvaluation::find_quantum() {
  const auto definition = [&](ir::DefinitionId id) {
    auto value = run_.definition_value(id, events_.frame, record_);
    const auto* const failure = std::get_if<ir::Failure>(&value);
    if (failure && failure->is_limit()) throw LimitExceeded{*failure};
    return value;
  };
  const auto parameter = [&](ir::ParameterId id) { return run_.parameter_value(id, events_.frame, record_); };
  const auto hoisted = [&](ir::ValueId weight) -> std::optional<double> {
    const auto known = known_weights_.find(weight);
    return known == known_weights_.end() ? std::nullopt : std::optional(known->second);
  };
  try {
    exactness_ = ir::exactness(system_, events_, group_.first, group_.last, definition, parameter, hoisted);
  } catch (const LimitExceeded& exceeded) {
    return run_.limit(exceeded.failure);
  }
  return done;
}

// Weights may be added up before the neighbour's time where sums do not round; bodies that are evaluated as
// written have no weights.
bool GroupEvaluation::may_hurry() const {
  if (exactness_.exact) {
    return exactness_.quantum > 0 && std::isnormal(exactness_.quantum) && std::isnormal(1 / exactness_.quantum);
  }
  return std::all_of(events_.events.begin(), events_.events.end(),
                     [&](ir::EventId id) { return system_[id].general() && !system_[id].exact; });
}

// --- all of it ---

Status GroupEvaluation::evaluate() {
  bool is_short = false;
  if (shorten(is_short) != done) return failed;
  if (is_short) return report(), done;
  if (plan() != done || evaluate_sources() != done || hoist() != done || find_quantum() != done) return failed;
  bool in_lanes = false;
  if (lanes_wanted_ && (run_lanes(in_lanes) != done || (!in_lanes && plan_storage() != done))) return failed;
  if (!in_lanes && run_cell_by_cell() != done) return failed;
  report();
  return done;
}

Status GroupEvaluation::run_cell_by_cell() {
  if (run_kernel() != done) return failed;
  const auto rank = static_cast<std::uint32_t>(rank_);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    group_.header[1 + GroupHeader::stride(axis)] = static_cast<Word>(stride_[axis]);
  }
  for (std::uint32_t event = 0; event < events_.events.size(); ++event) {
    group_.header[1 + GroupHeader::base(rank, event)] = windowed_ ? 0 : arguments_[KernelArguments::base(rank, event)];
  }
  if (windowed_) release_window();
  return done;
}

void GroupEvaluation::report() {
  for (const ir::EventId event : events_.events) {
    backend::EventReport report;
    report.event = system_[event].name;
    report.schedule =
        group_.solution ? "closed form: " + group_.solution->name() : ir::schedule_text(system_, events_, schedule_);
    if (!lanes_text_.empty()) report.schedule += "; " + lanes_text_;
    if (windowed_) report.schedule += fmt::format("; {} slices at a time", chunk_ + history_);
    report.cells = cell_count();
    if (exactness_.exact && system_[event].type == ir::ScalarType::real) {
      report.bound = exactness_.bound;
      report.quantum = exactness_.quantum;
      report.error = exactness_.error;
    }
    if (run_.reports_.size() < Run::most_reports) run_.reports_.push_back(std::move(report));
  }
}

}  // namespace wave::jit
