// If going along an axis last is never worse, the recurrence without that axis remains to be solved.
#include "backend/closed_form/interchange.h"
#include "backend/closed_form/line_sums.h"
#include "backend/closed_form/thresholds.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

// The function at place 0 along the axis.
CellFunction without(const CellFunction& function, std::size_t axis) {
  CellFunction result = function;
  result.domain.last[axis] = 0;
  result.parts[axis] = function.parts[axis].within(0, 0);
  if (function.table) result.table->classes[axis] = function.table->classes[axis].within(0, 0);
  return result;
}

Paths without(const Paths& paths, std::size_t axis) {
  Paths result;
  result.axes = paths.axes;
  result.axes[axis].extent = 1;
  result.axes[axis].moves = false;
  result.quantum = paths.quantum;
  result.negated = paths.negated;
  result.start = without(paths.start, axis);
  for (const Step& step : paths.steps) {
    if (step.axis != axis) result.steps.push_back({step.axis, without(step.weight, axis)});
  }
  return result;
}

class AxisLast final : public PathSolution {
 public:
  AxisLast(std::shared_ptr<const Paths> paths, std::size_t axis, std::unique_ptr<PathSolution> rest)
      : PathSolution(rest->name() + ", one axis last", std::move(paths)),
        axis_(axis),
        rest_(std::move(rest)),
        leg_(*paths_->along(axis), axis) {}

  Wide quanta(const Places& places) const override {
    Places begin = places;
    begin[axis_] = 0;
    return rest_->quanta(begin) + leg_.over(begin, 1, places[axis_]);
  }
  double seconds_per_read() const override { return least_seconds_per_read + rest_->seconds_per_read(); }

 private:
  std::size_t axis_;
  std::unique_ptr<PathSolution> rest_;
  LineSums leg_;
};

}  // namespace

Verdict solve_without_last_axis(std::shared_ptr<const Paths> paths) {
  if (paths->steps.size() < 3) return {};
  for (const Step& last : paths->steps) {
    bool is_best_last = true;
    for (const Step& other : paths->steps) {
      if (other.axis == last.axis || !is_best_last) continue;
      const auto gain = interchange_range(*paths, other.axis, last.axis);  // of going along `last` first
      if (!gain) return refused();
      is_best_last = gain->high <= 0;
    }
    if (!is_best_last) continue;
    Verdict rest = solve_paths(std::make_shared<const Paths>(without(*paths, last.axis)));
    if (rest.is_refused) return rest;
    if (!rest.solution) continue;
    if (!LineSums::covers(last.weight, last.axis)) return refused();
    return {std::make_unique<AxisLast>(paths, last.axis, std::move(rest.solution))};
  }
  return {};
}

}  // namespace wave::backend::closed_form
