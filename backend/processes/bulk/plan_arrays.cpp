// See plan_arrays.h.
#include "backend/processes/bulk/plan_arrays.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

// Lines along an axis, or the whole grid as one line: `count` participants each, `stride` apart.
struct Lines {
  std::int64_t count = 1, stride = 1;
  std::vector<std::int64_t> first;  // by line
};

Lines lines_of(const ir::Collective& collective, const PlanGrid& grid) {
  if (!collective.along) return {static_cast<std::int64_t>(grid.count()), 1, {0}};
  const auto strides = grid.strides(grid.all());
  GridBox box = grid.whole();
  const std::size_t axis = *collective.along;
  Lines lines{grid.extents()[axis], strides[axis], {}};
  box.last[axis] = 0;
  grid.for_each(grid.all(), box,
                [&](const auto& point) { lines.first.push_back(static_cast<std::int64_t>(place(point, strides))); });
  return lines;
}

// A weight by process without writing it out where it is the same along the last axis.
class Costs {
 public:
  Costs(const FieldPtr& field, const PlanGrid& grid)
      : field_(field), grid_(grid), strides_(grid.strides(field->axes)) {}
  double of(std::size_t process) const {
    if (field_->uniform()) return field_->values[0];
    if (field_->axes == grid_.all()) return field_->values[process];
    std::int64_t at = 0;
    auto rest = static_cast<std::int64_t>(process);
    for (std::size_t axis = grid_.axes(); axis-- > 0;) {
      at += rest % grid_.extents()[axis] * strides_[axis];
      rest /= grid_.extents()[axis];
    }
    return field_->values[static_cast<std::size_t>(at)];
  }

 private:
  const FieldPtr& field_;
  const PlanGrid& grid_;
  std::vector<std::int64_t> strides_;
};

}  // namespace

void synchronise(const ir::Collective& collective, const FieldPtr& cost, const PlanGrid& grid,
                 std::vector<double>& clocks) {
  const Lines lines = lines_of(collective, grid);
  const Costs costs(cost, grid);
  for (const std::int64_t first : lines.first) {
    const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(first + i * lines.stride); };
    double last = clocks[at(0)];
    for (std::int64_t i = 1; i < lines.count; ++i) last = std::max(last, clocks[at(i)]);
    const double root = clocks[at(0)];
    switch (collective.root) {
      case ir::Collective::Root::none:
        for (std::int64_t i = 0; i < lines.count; ++i) clocks[at(i)] = last + costs.of(at(i));
        break;
      case ir::Collective::Root::from:
        for (std::int64_t i = 0; i < lines.count; ++i) clocks[at(i)] = std::max(clocks[at(i)], root + costs.of(at(i)));
        break;
      case ir::Collective::Root::to: clocks[at(0)] = last + costs.of(at(0)); break;
    }
  }
}

}  // namespace wave::backend::processes
