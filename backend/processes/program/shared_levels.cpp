// See shared_levels.h.
#include "backend/processes/program/shared_levels.h"

#include "backend/processes/program/bound_scalars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

namespace wave::backend::processes {

namespace {

constexpr std::int64_t processes_between_clock_reads = 4096;

SharedLevels::Groups groups_of(BoundScalars& values, const ir::SharedLevel& level, const std::vector<ir::Axis>& axes,
                               const Places& places, const std::function<void()>& look_at_clock) {
  SharedLevels::Groups groups;
  groups.level = level.level.number;
  groups.of.resize(static_cast<std::size_t>(places.count()));
  std::unordered_map<std::int64_t, std::uint32_t> numbers;
  std::vector<std::int64_t> point(axes.size(), 0);
  for (std::int64_t rank = 0; rank < places.count(); ++rank) {
    if (rank % processes_between_clock_reads == 0) look_at_clock();
    const std::vector<std::int64_t> here = places.point(rank);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (here[axis] != point[axis]) values.bind(axes[axis].binder, here[axis]);
    }
    point = here;
    const auto number = static_cast<std::uint32_t>(numbers.size());
    groups.of[static_cast<std::size_t>(rank)] = numbers.try_emplace(values.integer(level.group), number).first->second;
  }
  groups.count = static_cast<std::uint32_t>(numbers.size());
  return groups;
}

void check_nesting(const SharedLevels::Groups& inner, const SharedLevels::Groups& outer, const ir::SharedLevel& level,
                   const ir::SharedLevel& around, const Places& places) {
  constexpr auto nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> first(inner.count, nobody);
  for (std::size_t rank = 0; rank < inner.of.size(); ++rank) {
    std::size_t& known = first[inner.of[rank]];
    if (known == nobody) known = rank;
    if (outer.of[known] == outer.of[rank]) continue;
    const auto shown = [&](std::size_t one) {
      return fmt::format("[{}]", fmt::join(places.point(static_cast<std::int64_t>(one)), ", "));
    };
    ir::Failure failure;
    failure.kind = ir::FailureKind::levels_not_nested;
    failure.location = level.location;
    failure.detail = fmt::format("the processes {} and {} share the level `{}`, but not `{}`", shown(known),
                                 shown(rank), level.level.name, around.level.name);
    failure.labels.emplace_back(around.location, "the outer one");
    throw Failed{std::move(failure)};
  }
}

}  // namespace

SharedLevels::SharedLevels(Scalars& scalars, const ir::Process& process, const Places& places,
                           const std::function<void()>& look_at_clock) {
  const std::vector<ir::Axis>& axes = scalars.system()[process.space].axes;
  BoundScalars values(scalars);
  for (const ir::SharedLevel& level : process.levels)
    levels_.push_back(groups_of(values, level, axes, places, look_at_clock));
  for (std::size_t k = 0; k + 1 < levels_.size(); ++k)
    check_nesting(levels_[k], levels_[k + 1], process.levels[k], process.levels[k + 1], places);
  for (const ir::Axis& axis : axes) scalars.release(axis.binder);
}

const SharedLevels::Groups* SharedLevels::find(std::int64_t level) const {
  const auto found = std::ranges::find(levels_, level, &Groups::level);
  return found == levels_.end() ? nullptr : &*found;
}

const SharedLevels::Groups* SharedLevels::sharers(const ir::MessageEnds& machine, std::uint32_t resource) const {
  const std::optional<std::uint32_t> level = machine.resources[resource].level;
  return level ? find(machine.levels[*level].number) : nullptr;
}

std::int64_t SharedLevels::bytes() const {
  std::size_t processes = 0;
  for (const Groups& groups : levels_) processes += groups.of.size();
  return static_cast<std::int64_t>(processes * sizeof(std::uint32_t));
}

}  // namespace wave::backend::processes
