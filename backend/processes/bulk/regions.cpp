// See regions.h.
#include "backend/processes/bulk/regions.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes {

std::int64_t Coordinates::count() const {
  std::int64_t count = 0;
  for (const Interval& interval : intervals_) count += interval.count();
  return count;
}

std::int64_t Coordinates::count_within(std::int64_t first, std::int64_t last) const {
  std::int64_t count = 0;
  for (const Interval& interval : intervals_) {
    const Interval part{std::max(interval.first, first), std::min(interval.last, last)};
    if (part.first <= part.last) count += part.count();
  }
  return count;
}

Coordinates Coordinates::within(std::int64_t first, std::int64_t last) const {
  Coordinates result;
  for (const Interval& interval : intervals_)
    result.add(std::max(interval.first, first), std::min(interval.last, last));
  return result;
}

Coordinates Coordinates::operator&(const Coordinates& other) const {
  Coordinates result;
  for (auto a = intervals_.begin(), b = other.intervals_.begin();
       a != intervals_.end() && b != other.intervals_.end();) {
    result.add(std::max(a->first, b->first), std::min(a->last, b->last));
    a->last < b->last ? ++a : ++b;
  }
  return result;
}

Region Region::whole(std::span<const std::int64_t> extents) {
  Region region;
  for (const std::int64_t extent : extents) region.axes.emplace_back(1, extent);
  return region;
}

bool Region::empty() const {
  return std::any_of(axes.begin(), axes.end(), [](const Coordinates& axis) { return axis.empty(); });
}

__int128 Region::count() const {
  __int128 count = 1;
  for (const Coordinates& axis : axes) count *= axis.count();
  return count;
}

Region Region::operator&(const Region& other) const {
  Region result;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) result.axes.push_back(axes[axis] & other.axes[axis]);
  return result;
}

namespace {

// Appends those with the coordinates of `region` on the first axes, and with a rank from `first` to `last` on the
// others.
void add_ranks(std::span<const std::int64_t> extents, std::size_t axis, std::int64_t first, std::int64_t last,
               Region& region, std::vector<Region>& into) {
  if (first > last) return;
  if (axis == extents.size()) return into.push_back(region);
  std::int64_t stride = 1;
  for (std::size_t inner = axis + 1; inner < extents.size(); ++inner) stride *= extents[inner];
  const auto add = [&](std::int64_t from, std::int64_t to, std::int64_t first_inside, std::int64_t last_inside) {
    if (from > to) return;
    region.axes[axis] = {from + 1, to + 1};
    add_ranks(extents, axis + 1, first_inside, last_inside, region, into);
  };
  const std::int64_t from = first / stride, to = last / stride;
  if (from == to) return add(from, to, first % stride, last % stride);
  const bool begins = first % stride == 0, ends = last % stride == stride - 1;
  if (!begins) add(from, from, first % stride, stride - 1);
  add(begins ? from : from + 1, ends ? to : to - 1, 0, stride - 1);
  if (!ends) add(to, to, 0, last % stride);
}

}  // namespace

std::vector<Region> regions_of_ranks(std::span<const std::int64_t> extents, std::int64_t first, std::int64_t last) {
  std::vector<Region> regions;
  Region region = Region::whole(extents);
  add_ranks(extents, 0, first, last, region, regions);
  return regions;
}

std::vector<Region> halves(const Region& region, AxisSet axes) {
  Region first = region, second = region;
  for (std::size_t axis = 0; axis < region.axes.size(); ++axis) {
    const std::int64_t count = region.axes[axis].count();
    if (count == 1 || !(axes >> axis & 1)) continue;
    Coordinates lower, upper;
    std::int64_t left = count / 2;
    for (const Coordinates::Interval& interval : region.axes[axis].intervals()) {
      const std::int64_t taken = std::min(left, interval.count());
      lower.add(interval.first, interval.first + taken - 1);
      upper.add(interval.first + taken, interval.last);
      left -= taken;
    }
    first.axes[axis] = std::move(lower);
    second.axes[axis] = std::move(upper);
    break;
  }
  return {std::move(first), std::move(second)};
}

}  // namespace wave::backend::processes
