// One order of the axes that is best for every path: all steps along the first, then all along the second, and so on.
#include "backend/closed_form/interchange.h"
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
  ByOrder(std::string name, std::shared_ptr<const Paths> paths, const std::vector<std::size_t>& order)
      : PathSolution(std::move(name), std::move(paths)) {
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
    return value;
  }
  double seconds_per_read() const override { return least_seconds_per_read * static_cast<double>(1 + legs_.size()); }

 private:
  struct Leg {
    std::size_t axis;
    LineSums sums;
  };

  std::vector<Leg> legs_;
};

}  // namespace

std::unique_ptr<Solution> solve_by_order(std::shared_ptr<const Paths> paths) {
  std::vector<std::size_t> order;
  for (const Step& step : paths->steps) order.push_back(step.axis);
  // some_lose[x][y]: at some place, going along x first and then along y is worse than the other way round.
  std::vector<std::vector<bool>> some_lose(paths->axes.size(), std::vector<bool>(paths->axes.size(), false));
  bool all_equal = true;
  for (const std::size_t x : order) {
    for (const std::size_t y : order) {
      if (x >= y) continue;
      const auto d = interchange(*paths, x, y).range();
      if (!d) return nullptr;
      some_lose[y][x] = d->low < 0;
      some_lose[x][y] = d->high > 0;
      if (d->low < 0 && d->high > 0) return nullptr;
      all_equal = all_equal && d->low == 0 && d->high == 0;
    }
  }
  do {
    bool is_best = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) is_best = is_best && !some_lose[order[i]][order[j]];
    }
    if (!is_best) continue;
    const char* const name = order.size() < 2 ? "one path" : all_equal ? "equal paths" : "one-signed differences";
    if (!cover_legs(*paths, order)) return nullptr;
    return std::make_unique<ByOrder>(name, std::move(paths), order);
  } while (std::next_permutation(order.begin(), order.end()));
  return nullptr;
}

}  // namespace wave::backend::closed_form
