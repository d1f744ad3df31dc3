// See system_bounds.h.
#include "analysis/optimize/system_bounds.h"

#include "analysis/optimize/problem.h"
#include "analysis/optimize/process_bounds.h"
#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace wave::analysis {
namespace {

using ir::Interval;

constexpr Interval not_below_zero{0, infinity};
// Weights are rounded to a quantum before they are added up: of 2^-52 of a bound of every time of the system, at most
// twice that (docs/exact-time.md), here with some room.
constexpr double system_quantum = 0x1p-49;

// Of one box: definitions are bounded once.
class BoxEvaluation {
 public:
  BoxEvaluation(const ir::System& system, const std::vector<ir::DefinitionId>& variables, std::span<const Interval> box)
      : system_(system), evaluator_(system, sources()) {
    for (std::size_t i = 0; i < variables.size(); ++i) known_[variables[i].index] = box[i];
  }

  Interval of(ir::ValueId value) { return evaluator_.evaluate(value); }

 private:
  ir::IntervalSources sources() {
    ir::IntervalSources sources;
    sources.definition = [](ir::DefinitionId) { return ir::Failure{}; };
    sources.event = [](ir::EventId) { return Interval{}; };
    sources.tight = true;
    sources.range = [this](ir::DefinitionId id) { return definition(id); };
    sources.read = [this](const ir::Read& read, std::span<const Interval> indices) {
      return event(read.event, indices);
    };
    sources.measure = [this](const ir::Measure& measure) { return this->measure(measure); };
    return sources;
  }

  Interval definition(ir::DefinitionId id) {
    if (const auto known = known_.find(id.index); known != known_.end()) return known->second;
    known_[id.index] = {};  // what asks for itself is not bounded
    const Interval result = evaluator_.evaluate(system_[id].body);
    return known_[id.index] = result;
  }

  Interval measure(const ir::Measure& measure) {
    const bool is_bounded = (measure.quantity == ir::Quantity::time || measure.quantity == ir::Quantity::finish) &&
                            !measure.phase.valid() &&
                            (measure.over == ir::Over::one || measure.over == ir::Over::greatest);
    if (!is_bounded) return not_below_zero;
    const auto known = times_.find(measure.process.index);
    if (known != times_.end()) return {known->second, infinity};
    times_[measure.process.index] = 0;
    const double least = least_time(system_, measure.process, evaluator_);
    times_[measure.process.index] = least;
    return {least, infinity};
  }

  // Surely there, and no matter of other events.
  bool is_plain(ir::ValueId value) const {
    return !ir::any_reachable(system_, value, [](const ir::Node& node) {
      return std::holds_alternative<ir::Read>(node) || ir::may_be_absent(node);
    });
  }

  std::optional<Interval> sum(const std::vector<ir::ValueId>& weights) {
    Interval total = Interval::point(0);
    for (const ir::ValueId weight : weights) {
      if (!is_plain(weight)) return std::nullopt;
      const Interval one = of(weight);
      if (one.is_empty()) return std::nullopt;
      total = {total.low + one.low, total.high + one.high};
    }
    return total;
  }

  // A recurrence whose only reads are of itself, against rising indices, with weights that are not negative: a chain of
  // steps from the point to the corner where it begins is on its way, and no way has more steps.
  Interval event(ir::EventId id, std::span<const Interval> indices) {
    const ir::Event& event = system_[id];
    if (event.body.valid() || event.constraints.empty()) return {};
    const ir::Space& space = system_[event.space];
    std::vector<Interval> reach;  // how far the point is from the first index
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      const Interval first = of(space.axes[axis].first), last = of(space.axes[axis].last);
      if (first.is_empty() || last.is_empty() || space.axes[axis].wrap) return {};
      evaluator_.bind(space.axes[axis].binder, {first.low, last.high});
      reach.push_back({std::max(0.0, indices[axis].low - first.high),
                       std::max(0.0, std::min(indices[axis].high, last.high) - first.low)});
    }
    std::optional<Interval> base;
    if (!event.otherwise.empty()) {
      base = sum(event.otherwise);
      if (!base) return {};
    }
    std::vector<double> along(space.axes.size(), 0);  // the heaviest step that is surely possible along each axis
    double most = 0, heaviest = 0, extents = 1;
    for (const ir::Axis& axis : space.axes) extents += std::max(0.0, of(axis.last).high - of(axis.first).low);
    for (const ir::Constraint& constraint : event.constraints) {
      const auto weight = sum(constraint.weights);
      if (!weight || constraint.guard.valid()) return {};
      heaviest += weight->magnitude();
      if (!constraint.source.valid()) {
        base = base ? ir::hull(*base, *weight) : *weight;
        continue;
      }
      if (constraint.source != id || weight->low < 0) return {};
      double steps = infinity;
      std::size_t moved = 0, axis_of_move = 0;
      for (std::size_t axis = 0; axis < constraint.offset.size(); ++axis) {
        const int offset = constraint.offset[axis];
        if (offset > 0) return {};
        if (offset == 0) continue;
        steps = std::min(steps, std::floor(reach[axis].high / -offset));
        ++moved;
        axis_of_move = axis;
      }
      if (moved == 0) return {};
      most += steps == 0 ? 0 : steps * weight->high;
      if (moved == 1) {
        const double stride = -constraint.offset[axis_of_move];
        const double least = std::floor(reach[axis_of_move].low / stride) * weight->low;
        along[axis_of_move] = std::max(along[axis_of_move], std::isfinite(least) ? least : 0);
      }
    }
    if (!base) return {};
    double least = base->low;
    for (const double one : along) least += one;
    const double slack = extents * system_quantum * extents * (heaviest + base->magnitude());
    if (!std::isfinite(slack)) return {};
    return {least - slack, base->high + most + slack};
  }

  const ir::System& system_;
  std::unordered_map<std::uint32_t, Interval> known_;
  std::unordered_map<std::uint32_t, double> times_;
  ir::IntervalEvaluator evaluator_;
};

class Reach {
 public:
  explicit Reach(const ir::System& system) : system_(system) {}

  bool of(ir::ValueId value) {
    if (!seen_.insert(value.index).second) return false;
    const auto& node = system_[value].node;
    if (std::holds_alternative<ir::Read>(node) || std::holds_alternative<ir::Measure>(node)) return true;
    if (const auto* reference = std::get_if<ir::Reference>(&node); reference && of(system_[reference->definition].body))
      return true;
    if (const auto* call = std::get_if<ir::Call>(&node); call && of(system_[call->definition].body)) return true;
    bool found = false;
    ir::for_each_operand(node, [&](ir::ValueId operand) { found = found || of(operand); });
    return found;
  }

 private:
  const ir::System& system_;
  std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

SystemBounds::SystemBounds(const ir::System& system, std::vector<ir::DefinitionId> variables,
                           std::vector<ir::RootId> roots)
    : system_(system), variables_(std::move(variables)), roots_(std::move(roots)) {}

std::vector<Interval> SystemBounds::bound(std::span<const Interval> box) const {
  BoxEvaluation evaluation(system_, variables_, box);
  std::vector<Interval> result;
  for (const ir::RootId root : roots_) {
    const auto& precondition = system_[root].precondition;
    const bool fails = precondition.valid() && evaluation.of(precondition).is_empty();
    for (const ir::ValueId column : system_[root].blocks.front().columns) {
      result.push_back(fails ? Interval::empty() : evaluation.of(column));
    }
  }
  return result;
}

bool reads_events(const ir::System& system, ir::RootId root) {
  Reach reach(system);
  const auto& columns = system[root].blocks.front().columns;
  return std::any_of(columns.begin(), columns.end(), [&](ir::ValueId column) { return reach.of(column); });
}

}  // namespace wave::analysis
