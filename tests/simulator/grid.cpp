// Grids: ranks, coordinates, levels.
#include "frontend/check/members.h"
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

const Grid::Level* Grid::level(const std::string& name) const {
  for (const Level& one : levels) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::string shared_level(const Grid& grid, const frontend::Item& machine, std::size_t a, std::size_t b) {
  if (grid.levels.empty()) return "none";
  std::string shared = "none";
  const std::vector<std::string> known = frontend::check::levels_of(machine);
  for (auto name = known.rbegin(); name != known.rend(); ++name) {
    const Grid::Level* level = grid.level(*name);
    if (!level) throw Failed{"level_unknown", machine.location};
    if (level->of[a] == level->of[b]) shared = *name;
  }
  return shared;
}

// The number of a place on a level: of its block, or what the program says.
static std::int64_t place_on(Evaluator& evaluator, const Grid& grid, const frontend::item::Grid& node,
                             const frontend::item::GridLevel& level, const std::shared_ptr<Instance>& model,
                             std::size_t rank) {
  const auto at = grid.coordinates(rank);
  if (level.value) {
    LocalsPtr locals = with(nullptr, "rank", {static_cast<std::int64_t>(rank)});
    for (std::size_t axis = 0; axis < at.size(); ++axis) locals = with(locals, node.axes[axis].name.text, {at[axis]});
    return evaluator.integer(*level.value, {model, locals});
  }
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    const std::int64_t block = evaluator.integer(*level.blocks[axis], {model, nullptr});
    number = number * (grid.extents[axis] + 1) + (at[axis] - 1) / block;
  }
  return number;
}

Grid make_grid(Evaluator& evaluator, const frontend::Item& item, const std::shared_ptr<Instance>& model) {
  const auto& node = std::get<frontend::item::Grid>(item.node);
  Grid grid;
  for (const auto& axis : node.axes) {
    grid.extents.push_back(evaluator.integer(*axis.extent, {model, nullptr}));
    if (grid.extents.back() < 1) throw Failed{"extent_not_positive", axis.name.location};
    grid.wraps.push_back(axis.wrap);
  }
  for (const auto& level : node.levels) {
    Grid::Level& made = grid.levels.emplace_back();
    made.name = level.name.text;
    std::map<std::int64_t, std::int64_t> met;
    for (std::size_t rank = 0; rank < grid.size(); ++rank) {
      made.of.push_back(place_on(evaluator, grid, node, level, model, rank));
      std::int64_t place = met[made.of.back()]++;
      const auto coordinates = grid.coordinates(rank);
      for (std::size_t axis = 0; axis < level.blocks.size(); ++axis) {
        if (axis == 0) place = 0;
        const std::int64_t block = evaluator.integer(*level.blocks[axis], {model, nullptr});
        place = place * block + (coordinates[axis] - 1) % block;
      }
      made.at.push_back(place);
    }
  }
  for (std::size_t k = 0; k + 1 < grid.levels.size(); ++k) {
    const auto &inner = grid.levels[k].of, &outer = grid.levels[k + 1].of;
    std::map<std::int64_t, std::int64_t> lies_in;
    for (std::size_t rank = 0; rank < inner.size(); ++rank) {
      if (lies_in.try_emplace(inner[rank], outer[rank]).first->second != outer[rank])
        throw Failed{"levels_not_nested", item.location};
    }
  }
  return grid;
}

bool share(Evaluator& evaluator, const std::string& name, const frontend::Item& item,
           const std::shared_ptr<Instance>& model, const std::vector<std::int64_t>& a,
           const std::vector<std::int64_t>& b) {
  const Grid grid = make_grid(evaluator, item, model);
  const auto first = grid.rank(a), second = grid.rank(b);
  if (!first || !second) throw Failed{"index_off_grid", item.location};
  const Grid::Level* level = grid.level(name);
  if (!level) throw Failed{"level_unknown", item.location};
  return level->of[*first] == level->of[*second];
}

}  // namespace wave::simulator
