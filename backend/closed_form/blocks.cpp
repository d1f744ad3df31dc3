// A grid of blocks, in each of which exchanging two steps gains the same everywhere. Then only paths along the borders
// of blocks matter, and the values at the corners of the blocks follow from each other.
#include "backend/closed_form/interchange.h"
#include "backend/closed_form/line_sums.h"
#include "backend/closed_form/thresholds.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

// The corners along an axis: 0 and the last place of each run. Empty if there are more than `most`.
std::vector<std::int64_t> corners(const Combination& d, std::size_t axis, double most) {
  const auto kinds = d.kinds(axis, static_cast<std::size_t>(most));
  auto ends = kinds ? run_ends(*kinds, static_cast<std::size_t>(most)) : std::nullopt;
  if (!ends) return {};
  ends->insert(ends->begin(), 0);
  return *std::move(ends);
}

class ByBlocks final : public PathSolution {
 public:
  ByBlocks(std::string name, std::shared_ptr<const Paths> paths, std::size_t x, std::size_t y,
           std::vector<std::int64_t> xs, std::vector<std::int64_t> ys)
      : PathSolution(std::move(name), std::move(paths)),
        x_(x),
        y_(y),
        xs_(std::move(xs)),
        ys_(std::move(ys)),
        along_x_(*paths_->along(x), x),
        along_y_(*paths_->along(y), y) {
    values_.reserve(xs_.size() * ys_.size());
    for (std::size_t i = 0; i < xs_.size(); ++i) {
      for (std::size_t j = 0; j < ys_.size(); ++j) {
        if (i == 0 && j == 0) {
          values_.push_back(paths_->start.at(Places(paths_->axes.size(), 0)));
        } else if (i == 0) {
          values_.push_back(value(0, j - 1) + up(xs_[0], ys_[j - 1], ys_[j]));
        } else if (j == 0) {
          values_.push_back(value(i - 1, 0) + right(xs_[i - 1], xs_[i], ys_[0]));
        } else {
          values_.push_back(std::max(value(i - 1, j) + right(xs_[i - 1], xs_[i], ys_[j]),
                                     value(i, j - 1) + up(xs_[i], ys_[j - 1], ys_[j])));
        }
      }
    }
  }

  Wide quanta(const Places& place) const override {
    const std::int64_t px = place[x_], py = place[y_];
    // The corners before the place.
    const auto nx = static_cast<std::size_t>(std::lower_bound(xs_.begin(), xs_.end(), px) - xs_.begin());
    const auto ny = static_cast<std::size_t>(std::lower_bound(ys_.begin(), ys_.end(), py) - ys_.begin());
    const bool is_x = xs_[nx] == px, is_y = ys_[ny] == py;
    if (is_x && is_y) return value(nx, ny);
    // The values at px and the corners below py, and at the corners before px and py; then at the place itself.
    Wide below = 0, before = 0;
    for (std::size_t j = 0; j < ny; ++j) {
      const Wide from_below = j > 0 ? below + up(px, ys_[j - 1], ys_[j]) : value(0, 0);
      const Wide from_before = nx > 0 ? value(nx - 1, j) + right(xs_[nx - 1], px, ys_[j]) : from_below;
      below = is_x ? value(nx, j) : j == 0 ? from_before : std::max(from_below, from_before);
    }
    for (std::size_t i = 0; i < nx; ++i) {
      const Wide from_before = i > 0 ? before + right(xs_[i - 1], xs_[i], py) : value(0, 0);
      const Wide from_below = ny > 0 ? value(i, ny - 1) + up(xs_[i], ys_[ny - 1], py) : from_before;
      before = is_y ? value(i, ny) : i == 0 ? from_below : std::max(from_below, from_before);
    }
    if (nx > 0) before += right(xs_[nx - 1], px, py);
    if (ny > 0) below += up(px, ys_[ny - 1], py);
    return nx == 0 ? below : ny == 0 ? before : std::max(before, below);
  }
  double seconds_per_read() const override {
    return least_seconds_per_read * static_cast<double>(xs_.size() + ys_.size());
  }

 private:
  Wide value(std::size_t i, std::size_t j) const { return values_[i * ys_.size() + j]; }
  Wide right(std::int64_t from, std::int64_t to, std::int64_t y) const {
    return along_x_.over(place(0, y), from + 1, to);
  }
  Wide up(std::int64_t x, std::int64_t from, std::int64_t to) const { return along_y_.over(place(x, 0), from + 1, to); }
  Places place(std::int64_t x, std::int64_t y) const {
    Places result(paths_->axes.size(), 0);
    result[x_] = x, result[y_] = y;
    return result;
  }

  std::size_t x_, y_;
  std::vector<std::int64_t> xs_, ys_;
  LineSums along_x_, along_y_;
  std::vector<Wide> values_;  // at the corners, y contiguous
};

// Is d zero in every block that is more than one place wide and high?
bool equal_inside(const Paths& paths, std::size_t x, std::size_t y, const std::vector<std::int64_t>& xs,
                  const std::vector<std::int64_t>& ys) {
  Places place(paths.axes.size(), 0);
  const auto at = [&](const CellFunction& weight, std::int64_t px, std::int64_t py) {
    place[x] = px, place[y] = py;
    return weight.at(place);
  };
  const CellFunction &wx = *paths.along(x), &wy = *paths.along(y);
  for (std::size_t i = 1; i < xs.size(); ++i) {
    for (std::size_t j = 1; j < ys.size(); ++j) {
      if (xs[i] - xs[i - 1] < 2 || ys[j] - ys[j - 1] < 2) continue;
      const std::int64_t px = xs[i], py = ys[j];
      if (at(wy, px - 1, py) + at(wx, px, py) != at(wx, px, py - 1) + at(wy, px, py)) return false;
    }
  }
  return true;
}

}  // namespace

std::unique_ptr<Solution> solve_by_blocks(std::shared_ptr<const Paths> paths) {
  if (paths->steps.size() != 2) return nullptr;
  const std::size_t x = paths->steps[0].axis, y = paths->steps[1].axis;
  for (std::size_t axis = 0; axis < paths->axes.size(); ++axis) {
    if (axis != x && axis != y && paths->axes[axis].extent > 1) return nullptr;
  }
  const double most = std::clamp(paths->box().count() / cells_per_corner, least_corners, most_corners);
  const Combination d = interchange(*paths, x, y);
  std::vector<std::int64_t> xs = corners(d, x, most), ys = corners(d, y, most);
  if (xs.empty() || ys.empty() || static_cast<double>(xs.size()) * static_cast<double>(ys.size()) > most)
    return nullptr;
  if (!LineSums::covers(*paths->along(x), x) || !LineSums::covers(*paths->along(y), y)) return nullptr;
  const char* const name = equal_inside(*paths, x, y, xs, ys) ? "blocks of equal paths" : "blocks of equal differences";
  return std::make_unique<ByBlocks>(name, std::move(paths), x, y, std::move(xs), std::move(ys));
}

}  // namespace wave::backend::closed_form
