// Tries every assignment of axes, every direction and small skews.
#include "backend/jit/lanes/strip_plan.h"

#include "backend/jit/lanes/strip_layout.h"
#include "backend/jit/lanes/thresholds.h"
#include "backend/jit/strips/lags.h"
#include "ir/dependences.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wave::jit::lanes {

namespace {

class Planner {
 public:
  Planner(const ir::System& system, const ir::EventGroup& group)
      : system_(system), group_(group), space_(system[group.space]) {
    for (const ir::EventId event : group.events) {
      for (const ir::Dependence& dependence : ir::dependences(system, event)) {
        const auto is_same = [&](const StripNeighbour& known) {
          return known.source == dependence.source && known.offset == dependence.offset;
        };
        if (std::any_of(found_.begin(), found_.end(), is_same)) continue;
        StripNeighbour neighbour;
        neighbour.source = dependence.source;
        neighbour.offset = dependence.offset;
        neighbour.own = position(dependence.source) >= 0;
        found_.push_back(std::move(neighbour));
      }
    }
  }

  std::string reason_against(const ir::Schedule& schedule) const {
    const std::size_t rank = space_.axes.size();
    if (schedule.kind != ir::ScheduleKind::rows) return "its cells have no order row by row";
    if (rank < 2) return "it has one axis";
    if (rank > 3) return "it has more than three axes";
    for (const StripNeighbour& neighbour : found_) {
      for (std::size_t axis = 0; axis < rank; ++axis) {
        if (neighbour.offset[axis] != 0 && space_.axes[axis].wrap) return "it looks around an axis that wraps";
      }
    }
    return {};
  }

  // Every assignment of the axes in turn, and every direction: the first with the least skew.
  std::optional<StripPlan> search() const {
    std::optional<StripPlan> best;
    std::vector<std::uint32_t> axes(space_.axes.size());
    std::iota(axes.begin(), axes.end(), 0u);
    do {
      for (std::uint32_t turned = 0; turned < (1u << axes.size()); ++turned) {
        StripOrder order;
        for (std::uint32_t axis = 0; axis < axes.size(); ++axis) order.rising.push_back((turned >> axis & 1) == 0);
        if (axes.size() == 3) order.plane_axis = axes[0];
        order.row_axis = axes[axes.size() - 2];
        order.column_axis = axes[axes.size() - 1];
        const auto skew = strips::least_skew(2, 1, dependences(order), 0, best ? best->skew - 1 : largest_skew);
        if (!skew) continue;
        order.skew = *skew;
        if (auto plan = attempt(order)) best = std::move(plan);
      }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return best;
  }

  std::optional<StripPlan> attempt(const StripOrder& order) const {
    StripPlan plan{order};
    for (const ir::EventId event : group_.events) plan.events.push_back({event, 0, 0, 0});
    for (StripNeighbour neighbour : found_) {
      if (!place(plan, neighbour)) return std::nullopt;
      plan.neighbours.push_back(std::move(neighbour));
    }
    plan.tolerant = is_tolerant(plan);
    return plan;
  }

 private:
  std::ptrdiff_t position(ir::EventId event) const {
    const auto found = std::find(group_.events.begin(), group_.events.end(), event);
    return found == group_.events.end() ? -1 : found - group_.events.begin();
  }

  static void turn(const StripOrder& order, StripNeighbour& neighbour) {
    const auto turned = [&](std::uint32_t axis) {
      return order.rising[axis] ? neighbour.offset[axis] : -neighbour.offset[axis];
    };
    neighbour.rows = turned(order.row_axis);
    neighbour.columns = turned(order.column_axis);
    neighbour.planes = order.plane_axis ? turned(*order.plane_axis) : 0;
  }

  // All events of a cell are evaluated in one step, and after everything else that they look at in their plane.
  std::vector<strips::Dependence> dependences(const StripOrder& order) const {
    std::vector<strips::Dependence> result;
    for (StripNeighbour neighbour : found_) {
      turn(order, neighbour);
      if (!neighbour.near() || (neighbour.rows == 0 && neighbour.columns == 0)) continue;
      result.push_back({0, 0, {0, 0, neighbour.columns + 1}, -neighbour.rows});
    }
    return result;
  }

  bool place(StripPlan& plan, StripNeighbour& neighbour) const {
    turn(plan, neighbour);
    if (std::abs(neighbour.rows) > most_rows_above) return false;
    if ((!neighbour.own || neighbour.planes != 0) && std::abs(neighbour.columns) > most_columns_apart) return false;
    if (!neighbour.own) return true;
    if (neighbour.planes > 0) return false;
    StripEvent& source = plan.events[static_cast<std::size_t>(position(neighbour.source))];
    if (neighbour.planes < 0) {
      source.planes = std::max(source.planes, -neighbour.planes);
      return source.planes <= most_planes;
    }
    neighbour.delay = -(neighbour.columns + plan.skew * neighbour.rows);
    if (neighbour.rows == 0 && neighbour.columns == 0) return true;
    if (neighbour.rows > 0 || neighbour.delay < 1 || neighbour.delay > most_steps_kept) return false;
    source.steps = std::max(source.steps, neighbour.delay);
    source.rows_above = std::max(source.rows_above, -neighbour.rows);
    return true;
  }

  bool looks_at_own(ir::ValueId start) const {
    return ir::any_reachable(system_, start, [&](const ir::Node& node) {
      const auto* const neighbour = std::get_if<ir::Neighbour>(&node);
      return neighbour && position(neighbour->event) >= 0;
    });
  }

  bool is_tolerant(const StripPlan& plan) const {
    for (const ir::EventId id : group_.events) {
      const ir::Event& event = system_[id];
      if (event.general()) return false;
      const auto has_own_source = [&](const ir::Constraint& constraint) {
        return constraint.source.valid() && position(constraint.source) >= 0;
      };
      if (!std::all_of(event.constraints.begin(), event.constraints.end(), has_own_source)) return false;
      for (const ir::Constraint& constraint : event.constraints) {
        if (constraint.guard.valid() && looks_at_own(constraint.guard)) return false;
        if (std::any_of(constraint.weights.begin(), constraint.weights.end(),
                        [&](ir::ValueId weight) { return looks_at_own(weight); }))
          return false;
      }
    }
    return std::all_of(plan.neighbours.begin(), plan.neighbours.end(), [](const StripNeighbour& neighbour) {
      if (!neighbour.own) return neighbour.rows == 0 && neighbour.columns == 0 && neighbour.planes == 0;
      return neighbour.near() ? neighbour.columns <= 0 : neighbour.rows == 0 && neighbour.columns == 0;
    });
  }

  const ir::System& system_;
  const ir::EventGroup& group_;
  const ir::Space& space_;
  std::vector<StripNeighbour> found_;
};

}  // namespace

const StripNeighbour* StripPlan::find(ir::EventId source, const std::vector<std::int32_t>& offset) const {
  for (const StripNeighbour& neighbour : neighbours) {
    if (neighbour.source == source && neighbour.offset == offset) return &neighbour;
  }
  return nullptr;
}

std::vector<const StripNeighbour*> StripPlan::far() const {
  std::vector<const StripNeighbour*> result;
  for (const StripNeighbour& neighbour : neighbours) {
    if (!neighbour.near()) result.push_back(&neighbour);
  }
  return result;
}

StripPlan plan_strips(const ir::System& system, const ir::EventGroup& group, const ir::Schedule& schedule,
                      const StripOrder* wanted) {
  const Planner planner(system, group);
  StripPlan none;
  none.reason = planner.reason_against(schedule);
  if (!none.possible()) return none;
  if (auto plan = wanted ? planner.attempt(*wanted) : std::nullopt) return *plan;
  if (auto plan = planner.search()) return *plan;
  none.reason = "no skew of its rows has every cell after those it needs";
  return none;
}

// A group comes after those it reads: the last first.
std::vector<StripPlan> plan_all_strips(const ir::System& system, const std::vector<ir::EventGroup>& groups,
                                       const std::vector<ir::Schedule>& schedules) {
  std::vector<StripPlan> plans(groups.size());
  std::vector<std::size_t> wanted_by(groups.size(), groups.size());
  for (std::size_t g = groups.size(); g-- > 0;) {
    const bool is_wanted = wanted_by[g] < groups.size();
    plans[g] = plan_strips(system, groups[g], schedules[g], is_wanted ? &plans[wanted_by[g]] : nullptr);
    if (!plans[g].possible()) continue;
    for (const StripNeighbour& neighbour : plans[g].neighbours) {
      if (neighbour.own) continue;
      for (std::size_t source = 0; source < g; ++source) {
        const auto& events = groups[source].events;
        if (std::find(events.begin(), events.end(), neighbour.source) != events.end()) wanted_by[source] = g;
      }
    }
  }
  return plans;
}

std::string strip_symbol(std::uint32_t group, StripShape shape) {
  return fmt::format("strip_{}_{}_{}{}{}{}", group, shape.lanes, shape.vectors,
                     shape.streams  ? "_streams"
                     : shape.stores ? "_stores"
                                    : "",
                     shape.cellwise ? "_cellwise" : "", shape.quanta ? "_quanta" : "");
}

}  // namespace wave::jit::lanes
