// The grid of processes as plans see it: boxes of places, and where the values of arrays over some of its axes stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace wave::backend::processes {

using AxisSet = std::uint32_t;  // a bit per axis

// Indices from 0, both ends included.
struct GridBox {
  std::vector<std::int64_t> first, last;
  bool empty() const;
  friend bool operator==(const GridBox&, const GridBox&) = default;
};

// A grid of processes, and arrays over some of its axes.
class PlanGrid {
 public:
  explicit PlanGrid(std::vector<std::int64_t> extents);

  std::size_t axes() const { return extents_.size(); }
  AxisSet all() const { return (AxisSet{1} << axes()) - 1; }
  const std::vector<std::int64_t>& extents() const { return extents_; }
  std::size_t count() const { return size(all()); }
  std::size_t size(AxisSet axes) const;
  // By axis what one step along it is in an array over `axes`; 0 for those it does not vary along.
  std::vector<std::int64_t> strides(AxisSet axes) const;
  GridBox whole() const;
  // The processes that have one at this distance on the grid.
  GridBox with_peer(std::span<const std::int64_t> offset, const std::vector<bool>& wrap) const;

  // Calls f(point) for the points of the box along `axes`, row-major; the other coordinates stay at the box's first.
  // An f that returns a bool is called until it returns false; then the result is false, too.
  template <class Function>
  bool for_each(AxisSet axes, const GridBox& box, Function&& f) const {
    if (box.empty()) return true;
    std::vector<std::int64_t> point = box.first;
    while (true) {
      if constexpr (std::is_same_v<decltype(f(std::as_const(point))), bool>) {
        if (!f(std::as_const(point))) return false;
      } else {
        f(std::as_const(point));
      }
      std::size_t axis = this->axes();
      while (axis-- > 0) {
        if (!(axes >> axis & 1)) continue;
        if (++point[axis] <= box.last[axis]) break;
        point[axis] = box.first[axis];
      }
      if (axis == std::size_t(-1)) return true;
    }
  }

 private:
  std::vector<std::int64_t> extents_;
};

inline std::size_t place(const std::vector<std::int64_t>& point, const std::vector<std::int64_t>& strides) {
  std::int64_t result = 0;
  for (std::size_t axis = 0; axis < point.size(); ++axis) result += point[axis] * strides[axis];
  return static_cast<std::size_t>(result);
}

}  // namespace wave::backend::processes
