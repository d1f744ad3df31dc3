// One order of the axes that is best for every path: all steps along the first, then all along the second, and so on.
#include "backend/closed_form/interchange.h"
#include "backend/closed_form/leaps.h"
#include "backend/closed_form/line_sums.h"
#include "backend/closed_form/thresholds.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

// Whether what ByOrder sums up along each axis is not too much.
bool cover_legs(const Paths& paths, const std::vector<std::size_t>& order) {
  return std::all_of(order.begin(), order.end(),
                     [&](std::size_t axis) { return LineSums::covers(*paths.along(axis), axis); });
}

class ByOrder final : public PathSolution {
 public:
  // `gain`: of the one leap, at every place.
  ByOrder(std::string name, std::shared_ptr<const Paths> paths, const std::vector<std::size_t>& order,
          std::int64_t gain)
      : PathSolution(std::move(name), std::move(paths)), gain_(gain) {
    for (const std::size_t axis : order) legs_.push_back({axis, LineSums(*paths_->along(axis), axis)});
  }

  Wide quanta(const Places& target) const override {
    Places place = target;
    for (const Leg& leg : legs_) place[leg.axis] = 0;
    Wide value = paths_->start.at(place);
    for (const Leg& leg : legs_) {
      value += leg.sums.over(place, 1, target[leg.axis]);
      place[leg.axis] = target[leg.axis];
    }
    if (gain_ > 0) value += Wide{gain_} * leaps_to(target);
    return value;
  }
  double seconds_per_read() const override { return least_seconds_per_read * static_cast<double>(1 + legs_.size()); }

 private:
  struct Leg {
    std::size_t axis;
    LineSums sums;
  };

  // How many leaps fit one after the other.
  std::int64_t leaps_to(const Places& target) const {
    const Places& back = paths_->leaps.front().back;
    std::int64_t count = std::numeric_limits<std::int64_t>::max();
    for (std::size_t axis = 0; axis < target.size(); ++axis) {
      if (back[axis] > 0) count = std::min(count, target[axis] / back[axis]);
    }
    return count;
  }

  std::vector<Leg> legs_;
  std::int64_t gain_ = 0;
};

// Where all paths of steps are equally long, and the one leap gains as much wherever it is taken.
Verdict solve_with_leap(std::shared_ptr<const Paths> paths, const std::vector<std::size_t>& order) {
  if (paths->leaps.size() != 1 || !is_short(paths->leaps.front())) return {};
  const auto gain = leap_gain(*paths, paths->leaps.front(), order);
  if (!gain) return refused();
  if (gain->low != gain->high) return {};
  if (!cover_legs(*paths, order)) return refused();
  return {std::make_unique<ByOrder>("equal paths and one longer step", std::move(paths), order, gain->low)};
}

}  // namespace

Verdict solve_by_order(std::shared_ptr<const Paths> paths) {
  std::vector<std::size_t> order;
  for (const Step& step : paths->steps) order.push_back(step.axis);
  std::sort(order.begin(), order.end());
  // some_lose[x][y]: at some place, going along x first and then along y is worse than the other way round.
  std::vector<std::vector<bool>> some_lose(paths->axes.size(), std::vector<bool>(paths->axes.size(), false));
  bool all_equal = true;
  for (const std::size_t x : order) {
    for (const std::size_t y : order) {
      if (x >= y) continue;
      const auto d = interchange_range(*paths, x, y);
      if (!d) return refused();
      some_lose[y][x] = d->low < 0;
      some_lose[x][y] = d->high > 0;
      if (d->low < 0 && d->high > 0) return {};
      all_equal = all_equal && d->low == 0 && d->high == 0;
    }
  }
  if (!paths->leaps.empty()) return all_equal ? solve_with_leap(std::move(paths), order) : Verdict{};
  do {
    bool is_best = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) is_best = is_best && !some_lose[order[i]][order[j]];
    }
    if (!is_best) continue;
    const char* const name = order.size() < 2 ? "one path" : all_equal ? "equal paths" : "one-signed differences";
    if (!cover_legs(*paths, order)) return refused();
    return {std::make_unique<ByOrder>(name, std::move(paths), order, 0)};
  } while (std::next_permutation(order.begin(), order.end()));
  return {};
}

}  // namespace wave::backend::closed_form
