// Tries the proofs one after the other: first one order of the axes, whose values cost least, then blocks.
#include "backend/closed_form/recurrence.h"

#include "backend/closed_form/paths.h"
#include "backend/closed_form/thresholds.h"
#include "ir/dependences.h"

#include <algorithm>
#include <new>

namespace wave::backend::closed_form {

namespace {

constexpr std::int64_t largest_index = std::int64_t{1} << 60;  // sums and differences of places do not overflow

}  // namespace

bool may_apply(const ir::System& system, const ir::EventGroup& group, const std::vector<bool>& followed) {
  if (system[group.space].axes.size() > most_axes_of_proof || !find_form(system, group)) return false;
  // Others may read points, which are asked for one by one, but not look at cells by offsets.
  return !followed[group.events.front().index];
}

double points_read(const Problem& problem, const std::vector<ir::ReadPattern>& patterns) {
  double points = 0;
  for (const ir::ReadPattern& pattern : patterns) {
    double here = 1;
    for (std::size_t axis = 0; axis < pattern.axes.size(); ++axis) {
      if (!pattern.axes[axis]) here *= static_cast<double>(problem.last[axis] - problem.first[axis] + 1);
    }
    points += here;
  }
  return points;
}

std::unique_ptr<Solution> solve(const Problem& asked) {
  const auto form = find_form(asked.system, asked.group);
  if (!form) return nullptr;
  double cells = 1;
  for (std::size_t axis = 0; axis < asked.first.size(); ++axis) {
    if (asked.first[axis] < -largest_index || asked.last[axis] > largest_index) return nullptr;
    cells *= static_cast<double>(asked.last[axis] - asked.first[axis]) + 1;
  }
  auto lanes_left =
      static_cast<std::size_t>(std::clamp(cells / asked.cells_per_operation, least_operations, most_operations));
  Problem problem = asked;
  problem.surroundings.lanes_left = &lanes_left;
  try {
    auto found = find_paths(problem, *form);
    if (!found) return nullptr;
    const auto paths = std::make_shared<const Paths>(*std::move(found));
    auto solution = solve_by_order(paths);
    return solution ? std::move(solution) : solve_by_blocks(paths);
  } catch (const std::bad_alloc&) {  // a proof would need more memory than there is
    return nullptr;
  }
}

}  // namespace wave::backend::closed_form
