// Sets of processes that are products of sets of coordinates, which count from 1. Most of what a program tells apart is
// of this form: the borders of a grid, odd ranks, a line.
#pragma once

#include "backend/processes/bulk/plan_grid.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wave::backend::processes {

// Coordinates on one axis, as intervals that ascend and do not touch.
class Coordinates {
 public:
  struct Interval {
    std::int64_t first, last;  // both belong to it
    std::int64_t count() const { return last - first + 1; }
    friend auto operator<=>(const Interval&, const Interval&) = default;
  };
  Coordinates() = default;
  Coordinates(std::int64_t first, std::int64_t last) { add(first, last); }

  // Behind all others.
  void add(std::int64_t first, std::int64_t last) {
    if (first > last) return;
    if (!intervals_.empty() && intervals_.back().last + 1 == first)
      intervals_.back().last = last;
    else
      intervals_.push_back({first, last});
  }
  bool empty() const { return intervals_.empty(); }
  std::int64_t first() const { return intervals_.front().first; }
  std::int64_t count() const;
  std::int64_t count_within(std::int64_t first, std::int64_t last) const;
  Coordinates within(std::int64_t first, std::int64_t last) const;
  Coordinates operator&(const Coordinates& other) const;
  const std::vector<Interval>& intervals() const { return intervals_; }
  friend auto operator<=>(const Coordinates&, const Coordinates&) = default;

 private:
  std::vector<Interval> intervals_;
};

// By axis.
struct Region {
  std::vector<Coordinates> axes;

  static Region whole(std::span<const std::int64_t> extents);
  bool empty() const;
  __int128 count() const;
  Region operator&(const Region& other) const;
  friend auto operator<=>(const Region&, const Region&) = default;
};

// The processes whose rank in row-major order, from 0, is one of first, ..., last: regions without a process in common,
// one after the other in this order.
std::vector<Region> regions_of_ranks(std::span<const std::int64_t> extents, std::int64_t first, std::int64_t last);

// Two parts of a region, cut along the first of these axes on which it has more than one coordinate, which has to be
// there. Along all axes, the first part has the lower ranks.
std::vector<Region> halves(const Region& region, AxisSet axes);

// Calls f(point) for the combinations of coordinates along these axes, row-major; the other coordinates stay as they
// are in `point`. With no axis, once.
template <class Function>
void for_each_point(const Region& region, AxisSet axes, std::vector<std::int64_t>& point, Function&& f,
                    std::size_t axis = 0) {
  while (axis < region.axes.size() && !(axes >> axis & 1)) ++axis;
  if (axis == region.axes.size()) return f();
  for (const Coordinates::Interval& interval : region.axes[axis].intervals()) {
    for (point[axis] = interval.first; point[axis] <= interval.last; ++point[axis])
      for_each_point(region, axes, point, f, axis + 1);
  }
}

}  // namespace wave::backend::processes
