// See process_bounds.h.
#include "analysis/optimize/process_bounds.h"

#include "ir/walk.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

using ir::Interval;

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
    // Of one with a root some only hand on.
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
  // The rounds of all levels that surely happen, each at its least.
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
  double rounds_ = 1;   // how often the present statement runs, at most
  double weights_ = 0;  // that a process adds up, at most
};

}  // namespace

double least_time(const ir::System& system, ir::ProcessId process, ir::IntervalEvaluator& evaluator) {
  if (system[process].frame != ir::System::root_frame) return 0;
  const double least = LeastTime(system, system[process], evaluator).least();
  return std::isfinite(least) ? least : 0;
}

}  // namespace wave::analysis
