// Bounds the value of a scalar while indices range over intervals.
#pragma once

#include "ir/evaluate.h"
#include "ir/exact.h"

#include <limits>
#include <optional>
#include <span>

namespace wave::ir {

// All finite values that an expression can take lie in this interval. Booleans are 0 and 1. If it is empty (low >
// high), the expression always fails. If there is only one value and it is known, it is here as a scalar. Operations on
// such scalars do what the engines do, to the last bit, so folding and inlining do not change a bound.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::optional<Scalar> exact = std::nullopt;

  static Interval point(double x) { return {x, x}; }
  static Interval of(Scalar x);
  static Interval empty() {
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }
  bool is_empty() const { return low > high; }
  bool is_point() const { return low == high; }
  double magnitude() const;  // the largest |x|, or 0 if the interval is empty
};

Interval hull(Interval a, Interval b);

// What the evaluator asks its user about frames around the place where it starts.
struct IntervalSources {
  DefinitionValue definition;
  ParameterValue parameter;
  std::function<Interval(EventId)> event;
  // For searches over boxes of parameters (analysis/optimize), outside of events, where nothing is absent: closer
  // bounds, on which no bit of a result may depend. `range` gives definitions, and the others give what is read of
  // events and processes. Each of them may be missing.
  bool tight = false;
  std::function<Interval(DefinitionId)> range = {};
  std::function<Interval(const Read&, std::span<const Interval> indices)> read = {};
  std::function<Interval(const Measure&)> measure = {};
};

class IntervalEvaluator {
 public:
  IntervalEvaluator(const System& system, IntervalSources sources);

  void bind(BinderId binder, Interval interval);
  Interval evaluate(ValueId value);

 private:
  struct Visit;
  // Binds the binders of levels. Returns how often the loop can run at most (0: never) and at least.
  struct Rounds {
    double most = 1, least = 1;
  };
  Rounds enter(const std::vector<Level>& levels);
  Interval reduce(const Reduce& node);

  const System& system_;
  IntervalSources sources_;
  Bindings<Interval> bindings_;
  std::size_t budget_;  // the number of nodes left before it gives up (unbounded)
  std::size_t depth_ = 0;
};

}  // namespace wave::ir
