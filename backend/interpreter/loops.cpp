// Loop nests and what is reduced over them.
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/kernel_table.h"
#include "backend/interpreter/scope.h"
#include "backend/interpreter/thresholds.h"
#include "backend/limits.h"
#include "backend/thresholds.h"
#include "ir/operations.h"
#include "ir/walk.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace wave::backend::interpreter {

using ir::FailureKind;
using ir::ReduceKind;
using ir::Scalar;

void Evaluator::set_binder(ir::BinderId binder, std::int64_t value) {
  binder_values_[binder.index] = value;
  binder_moved_[binder.index] = ++clock_;
}

// Judges a loop by its first iterations: an outermost one after 2, 4, 8, ... of them, one inside others, which is taken
// to run as often as they do, after 64, 128, ...
class Evaluator::WatchedLoop {
 public:
  WatchedLoop(Evaluator& self, const ir::Level& level, const ir::LoopRange& range)
      : watch_(self.watch_),
        outer_(watch_ ? watch_->repetitions : 1),
        table_(self.table_),
        last_(static_cast<double>(range.last)),
        step_(level.geometric ? 0 : static_cast<double>(range.step)),
        next_look_(outer_ > 1 ? inner_iterations_before_timing : iterations_before_timing) {
    if (watch_) watch_->repetitions = outer_ * std::max(1.0, left_from(range.first));
  }
  WatchedLoop(const WatchedLoop&) = delete;
  ~WatchedLoop() {
    if (watch_) watch_->repetitions = outer_;
  }

  // Throws the watch where the rest is better left to a kernel.
  void look_after(std::int64_t at) {
    if (!watch_ || ++done_ < next_look_) return;
    const auto now = std::chrono::steady_clock::now();
    // The first iterations also evaluate what is remembered for all, so their time does not count.
    const double seconds =
        std::chrono::duration<double>(now - looked_).count() / static_cast<double>(done_ - looked_after_);
    const double spent = outer_ > 1 ? 0 : seconds * static_cast<double>(done_ - looked_after_);
    const double left = seconds * left_from(at) * outer_;
    if (looked_after_ > 0 && table_.is_due(watch_->candidate, left, spent)) throw TakesLong{left};
    looked_ = now;
    looked_after_ = std::exchange(next_look_, 2 * next_look_);
  }

 private:
  double left_from(std::int64_t at) const { return step_ == 0 ? 0 : (last_ - static_cast<double>(at)) / step_; }

  Watch* const watch_;
  const double outer_;
  KernelTable& table_;
  const double last_, step_;
  std::size_t done_ = 0, next_look_, looked_after_ = 0;
  std::chrono::steady_clock::time_point looked_{};
};

// Loops over numbers.
struct Evaluator::Levels : ir::Numbers {
  Evaluator& self;

  // The variable of a level.
  struct Rounds {
    Rounds(Levels& in, const ir::Level& level, const ir::LoopRange& range)
        : self(in.self), binder(level.binder), bound(in.self, level.binder), watched(in.self, level, range) {}
    bool begin(std::int64_t at) {
      self.set_binder(binder, at);
      if (++self.ticks_ % cells_between_clock_reads == 0) self.look_at_clock();
      return true;
    }
    void end(std::int64_t at) { watched.look_after(at); }

    Evaluator& self;
    const ir::BinderId binder;
    const BoundLevel bound;
    WatchedLoop watched;
  };

  Presence evaluate(ir::ValueId value) const { return self.evaluate(value); }
  std::optional<std::int64_t> bound(ir::ValueId value) const {
    const Presence x = evaluate(value);
    return x ? std::optional(x->integer) : std::nullopt;
  }
  std::optional<bool> counts(ir::ValueId filter) const {
    const Presence x = evaluate(filter);
    return x ? std::optional(x->boolean) : std::nullopt;
  }
  void fail(const ir::Level& level, const ir::LoopRange& range) const {
    self.fail(FailureKind::no_progress, level.site,
              {Scalar::of(range.first), Scalar::of(range.last), Scalar::of(range.step)});
  }
  void accumulate(Presence& total, ir::BinaryOp op, const Scalar& x, ir::SiteId site) const {
    const auto next = ir::arithmetic::binary(op, *total, x);
    if (next.failed) self.fail(next.kind, site, {*total, x});
    total = next.value;
  }
  Presence nothing(const ir::Reduce& node) const {
    if (self.cell_) return std::nullopt;
    self.fail(FailureKind::empty_reduction, node.site);
  }
};

Evaluator::Loop Evaluator::run(std::span<const ir::Level> levels, const Iteration& iteration) {
  Levels in{{}, *this};
  return ir::run(in, levels, iteration);
}

Presence Evaluator::reduce_as_is(const ir::Reduce& node, ir::ScalarType type) {
  Levels in{{}, *this};
  switch (node.kind) {
    case ReduceKind::sum:
    case ReduceKind::product: return ir::accumulate(in, node, type);
    case ReduceKind::maximum:
    case ReduceKind::minimum: return ir::extremum(in, node);
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: return extreme_place(node);
    case ReduceKind::count: return count(node);
    case ReduceKind::any:
    case ReduceKind::all: return decide(node);
    case ReduceKind::nth: return pick(node);
  }
  internal_error("a reduction of no kind");
}

Presence Evaluator::extreme_place(const ir::Reduce& node) {
  const ir::BinaryOp better = node.kind == ReduceKind::arg_max ? ir::BinaryOp::greater : ir::BinaryOp::less;
  Presence best, place;
  const Loop end = run(node.levels, [&] {
    const Presence x = evaluate(node.body);
    if (x && (!best || ir::arithmetic::binary(better, *x, *best).value.boolean)) {
      best = x;
      place = evaluate(node.value);
      if (!place) return Loop::absent;
    }
    return Loop::go_on;
  });
  if (end == Loop::absent) return std::nullopt;
  return best ? place : Levels{{}, *this}.nothing(node);
}

Presence Evaluator::count(const ir::Reduce& node) {
  std::int64_t total = 0;
  const Loop end = run(node.levels, [&] {
    ++total;
    return Loop::go_on;
  });
  return end == Loop::absent ? Presence() : Scalar::of(total);
}

Presence Evaluator::decide(const ir::Reduce& node) {
  const bool decisive = node.kind == ReduceKind::any;
  const Loop end = run(node.levels, [&] {
    const Presence x = evaluate(node.body);
    if (!x) return Loop::absent;
    return x->boolean == decisive ? Loop::stop : Loop::go_on;
  });
  if (end == Loop::absent) return std::nullopt;
  return Scalar::of(end == Loop::stop ? decisive : !decisive);
}

Presence Evaluator::pick(const ir::Reduce& node) {
  const Presence number = evaluate(node.value);
  if (!number) return number;
  Presence picked;
  std::int64_t seen = 0;
  if (number->integer < 1) fail(FailureKind::index_outside_list, node.site, {*number});
  const Loop end = run(node.levels, [&] {
    if (++seen < number->integer) return Loop::go_on;
    picked = evaluate(node.body);
    return Loop::stop;
  });
  if (end == Loop::absent) return std::nullopt;
  if (end == Loop::go_on) fail(FailureKind::index_outside_list, node.site, {*number, Scalar::of(seen)});
  return picked;
}

}  // namespace wave::backend::interpreter
