// See plan_grid.h.
#include "backend/processes/bulk/plan_grid.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes {

bool GridBox::empty() const {
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    if (first[axis] > last[axis]) return true;
  }
  return false;
}

PlanGrid::PlanGrid(std::vector<std::int64_t> extents) : extents_(std::move(extents)) {}

std::size_t PlanGrid::size(AxisSet axes) const {
  std::size_t result = 1;
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
    if (axes >> axis & 1) result *= static_cast<std::size_t>(extents_[axis]);
  }
  return result;
}

std::vector<std::int64_t> PlanGrid::strides(AxisSet axes) const {
  std::vector<std::int64_t> result(extents_.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    if (!(axes >> axis & 1)) continue;
    result[axis] = stride;
    stride *= extents_[axis];
  }
  return result;
}

GridBox PlanGrid::whole() const {
  GridBox box{std::vector<std::int64_t>(axes(), 0), extents_};
  for (std::int64_t& last : box.last) --last;
  return box;
}

GridBox PlanGrid::with_peer(std::span<const std::int64_t> offset, const std::vector<bool>& wrap) const {
  GridBox box = whole();
  for (std::size_t axis = 0; axis < axes(); ++axis) {
    if (wrap[axis]) continue;
    // Larger offsets have no peer either, and could overflow.
    const std::int64_t by = std::clamp(offset[axis], -extents_[axis], extents_[axis]);
    box.first[axis] = std::max<std::int64_t>(0, -by);
    box.last[axis] = extents_[axis] - 1 - std::max<std::int64_t>(0, by);
  }
  return box;
}

}  // namespace wave::backend::processes
