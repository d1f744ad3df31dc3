// See bounds.h.
#include "analysis/optimize/bounds.h"

#include "analysis/inputs.h"
#include "analysis/optimize/problem.h"
#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace wave::analysis {
namespace {

using ir::Interval;

// --- processes: the least time that each takes, whatever it waits for ---

constexpr std::size_t most_statements = 20'000;
// Weights are rounded to a quantum, which is a part of the time of the costliest process times the longest chain of
// processes (docs/exact-time.md). What messages add to that time is not known here: this leaves room for sixteen times
// the computation.
constexpr double process_quantum = 0x1p-47;

class LeastTime {
 public:
  using Result = double;
  using Program = ir::ProcessWalk<LeastTime>;
  LeastTime(const ir::System& system, const ir::Process& process, ir::IntervalEvaluator& evaluator)
      : system_(system), process_(process), evaluator_(evaluator) {}

  double least() {
    double processes = 1;
    for (const ir::Axis& axis : system_[process_.space].axes) {
      const Interval last = evaluator_.evaluate(axis.last);
      if (last.is_empty()) return 0;
      evaluator_.bind(axis.binder, {1, last.high});
      processes *= std::max(1.0, last.high);
    }
    const double total = Program(process_, *this).whole();
    return std::max(0.0, total * (1 - weights_ * processes * process_quantum));
  }

  bool goes_on() { return ++statements_ <= most_statements; }
  double meet(const ir::Statement&, const ir::Compute& node) { return weight(node.time); }
  double meet(const ir::Statement&, const ir::Message&) { return 0; }
  double meet(const ir::Statement&, const ir::Wait&) { return 0; }
  double meet(const ir::Statement&, const ir::Collective& node) {
    // In a collective with a root, some processes only hand data on.
    return node.root == ir::Collective::Root::none ? weight(node.cost) : 0;
  }
  double phase(const ir::Phase& node, Program& program) { return program.block(node.body); }
  double branch(const ir::Branch& node, Program& program) {
    const Interval condition = evaluator_.evaluate(node.condition);
    if (condition.low == 1) return program.block(node.then_block);
    if (condition.high == 0) return program.block(node.else_block);
    const double if_true = program.block(node.then_block);
    return std::min(if_true, program.block(node.else_block));
  }
  double sweep(const ir::Sweep& node, Program& program) {
    const Interval tiles = evaluator_.evaluate(node.tiles);
    if (tiles.is_empty() || !(tiles.low > 0)) return 0;
    evaluator_.bind(node.tile, {1, tiles.high});
    const double outer = rounds_;
    rounds_ *= tiles.high;
    double body = 0;
    for (const ir::Front& front : node.fronts) body += program.block(front.body);
    rounds_ = outer;
    return tiles.low * body;
  }
  // Counts the rounds that surely happen, each at its least time.
  double level(const ir::Loop& node, std::size_t, Program& program) {
    double rounds = 1, most = 1;
    for (const ir::Level& level : node.levels) {
      const Interval first = evaluator_.evaluate(level.first), last = evaluator_.evaluate(level.last),
                     step = evaluator_.evaluate(level.step);
      if (first.is_empty() || last.is_empty() || step.is_empty() || level.geometric || level.filter.valid() ||
          !(step.low > 0))
        return 0;
      if (first.low > last.high) return 0;
      evaluator_.bind(level.binder, {first.low, last.high});
      most *= std::max(1.0, std::floor((last.high - first.low) / step.low) + 1);
      rounds *= std::max(0.0, std::floor((last.low - first.high) / step.high) + 1);
    }
    const double outer = rounds_;
    rounds_ *= most;
    const double body = rounds > 0 ? program.block(node.body) : 0;
    rounds_ = outer;
    return rounds * body;
  }

 private:
  // Times are not negative, whatever the interval says.
  double weight(ir::ValueId value) {
    weights_ += rounds_;
    if (!value.valid()) return 0;
    const Interval interval = evaluator_.evaluate(value);
    return interval.is_empty() || !std::isfinite(interval.low) ? 0 : std::max(0.0, interval.low);
  }

  const ir::System& system_;
  const ir::Process& process_;
  ir::IntervalEvaluator& evaluator_;
  std::size_t statements_ = 0;
  double rounds_ = 1;   // how often the present statement runs at most
  double weights_ = 0;  // how many weights a process adds up at most
};

// In ps: each process of the grid computes and takes part in collectives for at least this long. The evaluator knows
// the box of parameters; the indices of the process are bound here. 0 if nothing is known.
double least_time(const ir::System& system, ir::ProcessId process, ir::IntervalEvaluator& evaluator) {
  if (system[process].frame != ir::System::root_frame) return 0;
  const double least = LeastTime(system, system[process], evaluator).least();
  return std::isfinite(least) ? least : 0;
}

// --- scalars and recurrences ---

constexpr Interval not_below_zero{0, infinity};
// Weights are rounded to a quantum before they are added up. It is 2^-52 of a bound of every time of the system, or at
// most twice that (docs/exact-time.md); this leaves some room.
constexpr double system_quantum = 0x1p-49;

// The bounds in one box. Definitions are bounded once.
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
    known_[id.index] = {};  // a definition that asks for itself has no bound
    const Interval result = evaluator_.evaluate(system_[id].body);
    return known_[id.index] = result;
  }

  Interval measure(const ir::Measure& measure) {
    const bool is_bounded = (measure.metric == ir::Metric::time || measure.metric == ir::Metric::finish) &&
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

  // Whether a value is surely present and reads no events.
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

  // Bounds a recurrence that reads only itself, against rising indices, with weights that are not negative. A chain of
  // steps leads from the point to the corner where the recurrence begins, and no chain has more steps.
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
  const auto& columns = system[root].blocks.front().columns;
  return std::any_of(columns.begin(), columns.end(), [&](ir::ValueId column) {
    const Reached reached = reach(system, column);
    return !reached.events.empty() || !reached.measures.empty();
  });
}

}  // namespace wave::analysis
