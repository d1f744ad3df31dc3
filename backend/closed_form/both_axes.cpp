// Two axes along which costs repeat, as they do on a regular grid of nodes. Long paths then repeat a few closed walks
// of the torus of costs.
#include "backend/closed_form/cone.h"
#include "backend/closed_form/paths.h"
#include "backend/closed_form/thresholds.h"

#include <algorithm>
#include <numeric>

namespace wave::backend::closed_form {

namespace {

constexpr std::int64_t most_places = std::int64_t{1} << 40;  // along an axis

// The least period of a list.
std::int64_t least_period(const std::vector<std::int64_t>& values) {
  // Of every beginning, the longest part that it both begins and ends with (Knuth, Morris and Pratt).
  std::vector<std::size_t> border(values.size(), 0);
  for (std::size_t i = 1; i < values.size(); ++i) {
    std::size_t length = border[i - 1];
    while (length > 0 && values[i] != values[length]) length = border[length - 1];
    border[i] = values[i] == values[length] ? length + 1 : 0;
  }
  return static_cast<std::int64_t>(values.size() - border.back());
}

std::optional<std::int64_t> period_of(const IndexFunction& function) {
  const Piece& only = function.pieces().front();
  if (function.pieces().size() == 1 && only.length() > only.period()) {
    return only.increment == 0 ? std::optional(only.period()) : std::nullopt;
  }
  if (function.last() - function.first() >= longest_values_of_period) return std::nullopt;
  std::vector<std::int64_t> values;
  for (std::int64_t i = function.first(); i <= function.last(); ++i) values.push_back(function.at(i));
  return least_period(values);
}

// Along `axis`, of all that a path's length depends on. What a step gains by the index of its own axis, it gains on
// every path. Nothing where that does not repeat, or has a longer period than `most`.
std::optional<std::int64_t> common_period(const Paths& paths, std::size_t axis, std::int64_t most) {
  std::int64_t period = 1;
  for (const Step& step : paths.steps) {
    std::vector<const IndexFunction*> functions;
    if (step.axis != axis) functions.push_back(&step.weight.parts[axis]);
    if (step.weight.table) functions.push_back(&step.weight.table->classes[axis]);
    for (const IndexFunction* function : functions) {
      const auto one = period_of(*function);
      if (!one || *one > most) return std::nullopt;
      period = std::lcm(period, *one);
      if (period > most) return std::nullopt;
    }
  }
  return period;
}

class ByTorus final : public PathSolution {
 public:
  ByTorus(std::shared_ptr<const Paths> paths, std::size_t x, std::size_t y, Torus torus)
      : PathSolution("periods of both axes", std::move(paths)),
        x_(x),
        y_(y),
        own_x_(paths_->along(x)->parts[x]),
        own_y_(paths_->along(y)->parts[y]),
        torus_(std::move(torus)) {}

  // Finds the place that most ask for. False where that takes too long.
  [[nodiscard]] bool find_last(double most_corners) const {
    const Places last = paths_->box().last;
    return gain({last[x_], last[y_]}, most_corners).has_value();
  }

  Wide quanta(const Places& target) const override {
    const Shift to{target[x_], target[y_]};
    Places corner = target;
    corner[x_] = corner[y_] = 0;
    const Wide own = paths_->start.at(corner) + own_x_.over(1, to.x) + own_y_.over(1, to.y);
    return own + *gain(to, std::numeric_limits<double>::infinity());
  }
  double seconds_per_read() const override {
    return least_seconds_per_read + seconds_per_node_of_torus * static_cast<double>(torus_.nodes());
  }

 private:
  std::optional<Wide> gain(Shift to, double most_cells) const {
    return to.steps() > 0 ? cone(to).length(to, most_cells) : std::optional<Wide>(0);
  }
  const Cone& cone(Shift target) const {
    for (const Cone& known : cones_) {
      if (known.has(target)) return known;
    }
    return cones_.emplace_back(torus_, target);
  }

  std::size_t x_, y_;
  Sums own_x_, own_y_;
  Torus torus_;
  mutable std::vector<Cone> cones_;
};

}  // namespace

Verdict solve_by_torus(std::shared_ptr<const Paths> paths, double most_corners) {
  if (paths->steps.size() != 2) return {};
  const std::size_t x = paths->steps[0].axis, y = paths->steps[1].axis;
  for (std::size_t axis = 0; axis < paths->axes.size(); ++axis) {
    const std::int64_t extent = paths->axes[axis].extent;
    if (axis == x || axis == y ? extent > most_places : extent > 1) return {};
  }
  const auto most_nodes = static_cast<std::int64_t>(most_corners / corners_per_node);
  const auto most_along = [&](std::size_t axis) { return std::min(most_nodes, paths->axes[axis].extent - 1); };
  const auto period_x = common_period(*paths, x, most_along(x));
  const auto period_y =
      period_x ? common_period(*paths, y, std::min(most_along(y), most_nodes / *period_x)) : std::nullopt;
  if (!period_y) return {};
  const Shift period{*period_x, *period_y};
  // From place 1 on, where every step ends that leads to such a place of a period.
  std::vector<std::int64_t> along_x, along_y;
  Places place(paths->axes.size(), 0);
  const CellFunction &wx = *paths->along(x), &wy = *paths->along(y);
  for (std::int64_t i = 0; i < period.x; ++i) {
    for (std::int64_t j = 0; j < period.y; ++j) {
      place[x] = i == 0 ? period.x : i;
      place[y] = j == 0 ? period.y : j;
      along_x.push_back(wx.at(place) - wx.parts[x].at(place[x]));
      along_y.push_back(wy.at(place) - wy.parts[y].at(place[y]));
    }
  }
  auto solution =
      std::make_unique<ByTorus>(std::move(paths), x, y, Torus(period, std::move(along_x), std::move(along_y)));
  if (!solution->find_last(most_corners)) return refused();
  return {std::move(solution)};
}

}  // namespace wave::backend::closed_form
