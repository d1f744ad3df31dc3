// Grids: ranks, coordinates, nodes.
#include "tests/simulator/program.h"
#include "tests/simulator/simulator.h"

namespace wave::simulator {

std::size_t Grid::size() const {
  std::size_t count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
  return count;
}

std::vector<std::int64_t> Grid::coordinates(std::size_t rank) const {
  std::vector<std::int64_t> result(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(extents[axis]);
    result[axis] = static_cast<std::int64_t>(rank % extent) + 1;
    rank /= extent;
  }
  return result;
}

std::optional<std::size_t> Grid::rank(std::vector<std::int64_t> coordinates) const {
  std::size_t result = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    std::int64_t at = coordinates[axis] - 1;
    if (wraps[axis]) at = (at % extents[axis] + extents[axis]) % extents[axis];
    if (at < 0 || at >= extents[axis]) return std::nullopt;
    result = result * static_cast<std::size_t>(extents[axis]) + static_cast<std::size_t>(at);
  }
  return result;
}

bool Grid::same_node(std::size_t a, std::size_t b) const {
  if (nodes.empty()) return false;
  const auto first = coordinates(a), second = coordinates(b);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if ((first[axis] - 1) / nodes[axis] != (second[axis] - 1) / nodes[axis]) return false;
  }
  return true;
}

Grid make_grid(Evaluator& evaluator, const frontend::Item& item, const std::shared_ptr<Instance>& model) {
  const auto& node = std::get<frontend::item::Grid>(item.node);
  Grid grid;
  for (const auto& axis : node.axes) {
    grid.extents.push_back(evaluator.integer(*axis.extent, {model, nullptr}));
    if (grid.extents.back() < 1) throw Failed{"extent_not_positive", axis.name.location};
    grid.wraps.push_back(axis.wrap);
  }
  for (const auto& size : node.nodes) grid.nodes.push_back(evaluator.integer(*size, {model, nullptr}));
  return grid;
}

bool share_node(Evaluator& evaluator, const frontend::Item& item, const std::shared_ptr<Instance>& model,
                const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  const Grid grid = make_grid(evaluator, item, model);
  const auto first = grid.rank(a), second = grid.rank(b);
  if (!first || !second) throw Failed{"index_off_grid", item.location};
  return grid.same_node(*first, *second);
}

}  // namespace wave::simulator
