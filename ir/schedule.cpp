// Groups are strongly connected components; their order comes from a search for axes and directions along which
// every dependence points back, then for a hyperplane.
// Also finds which cells are read from outside a group, and which scalars are the same in all its cells.
#include "ir/schedule.h"

#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace wave::ir {

namespace {

// --- groups: Tarjan's algorithm, which yields a component after everything it depends on ---

class Components {
 public:
  explicit Components(const std::vector<std::vector<std::uint32_t>>& edges)
      : edges_(edges), order_(edges.size(), 0), low_(edges.size(), 0), on_stack_(edges.size(), false) {
    for (std::uint32_t node = 0; node < edges.size(); ++node) {
      if (order_[node] == 0) visit(node);
    }
  }
  std::vector<std::vector<std::uint32_t>> found;

 private:
  struct Step {
    std::uint32_t node;
    std::size_t next_edge = 0;
  };

  void visit(std::uint32_t root) {
    std::vector<Step> path;
    enter(path, root);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next_edge < edges_[step.node].size()) {
        const std::uint32_t target = edges_[step.node][step.next_edge++];
        if (order_[target] == 0) {
          enter(path, target);
        } else if (on_stack_[target]) {
          low_[step.node] = std::min(low_[step.node], order_[target]);
        }
      } else {
        const std::uint32_t node = step.node;
        path.pop_back();
        if (!path.empty()) low_[path.back().node] = std::min(low_[path.back().node], low_[node]);
        if (low_[node] == order_[node]) close(node);
      }
    }
  }

  void enter(std::vector<Step>& path, std::uint32_t node) {
    order_[node] = low_[node] = ++clock_;
    stack_.push_back(node);
    on_stack_[node] = true;
    path.push_back({node});
  }

  void close(std::uint32_t node) {
    std::vector<std::uint32_t> component;
    for (bool more = true; more;) {
      const std::uint32_t member = stack_.back();
      stack_.pop_back();
      on_stack_[member] = false;
      component.push_back(member);
      more = member != node;
    }
    std::sort(component.begin(), component.end());
    found.push_back(std::move(component));
  }

  const std::vector<std::vector<std::uint32_t>>& edges_;
  std::vector<std::uint32_t> order_, low_, stack_;
  std::vector<bool> on_stack_;
  std::uint32_t clock_ = 0;
};

bool is_zero(const std::vector<std::int32_t>& offset) {
  return std::all_of(offset.begin(), offset.end(), [](std::int32_t d) { return d == 0; });
}

// The events in an order in which each comes after those that it needs at the same point. Nothing if there is a cycle.
std::optional<std::vector<EventId>> statement_order(const System& system, const std::vector<EventId>& events) {
  std::unordered_map<EventId, std::uint32_t> places;
  for (const EventId event : events) places.emplace(event, static_cast<std::uint32_t>(places.size()));
  std::vector<std::vector<std::uint32_t>> edges(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (const Dependence& dependence : dependences(system, events[i])) {
      const auto source = places.find(dependence.source);
      if (source == places.end() || !is_zero(dependence.offset)) continue;
      if (source->first == events[i]) return std::nullopt;
      edges[i].push_back(source->second);
    }
  }
  std::vector<EventId> order;
  for (const auto& component : Components(edges).found) {
    if (component.size() > 1) return std::nullopt;
    order.push_back(events[component.front()]);
  }
  return order;
}

// --- order of the loops ---

using Offsets = std::vector<std::vector<std::int32_t>>;

// The directions of the loops for this order of axes, where each dependence points back along the first axis
// (from outside) that it moves on. Along an axis that wraps, nothing can be said.
std::optional<std::vector<bool>> directions(const Space& space, Offsets offsets,
                                            const std::vector<std::uint32_t>& order) {
  std::vector<bool> rising(space.axes.size(), true);
  for (const std::uint32_t axis : order) {
    bool has_back = false, has_ahead = false;
    for (const auto& offset : offsets) {
      has_back = has_back || offset[axis] < 0;
      has_ahead = has_ahead || offset[axis] > 0;
    }
    if (has_back && has_ahead) return std::nullopt;
    if (space.axes[axis].wrap && (has_back || has_ahead)) return std::nullopt;
    rising[axis] = !has_ahead;
    std::erase_if(offsets, [&](const auto& offset) { return offset[axis] != 0; });
  }
  return rising;
}

constexpr std::size_t most_permuted_axes = 6;

std::optional<Schedule> find_rows(const Space& space, const Offsets& offsets) {
  std::vector<std::uint32_t> order(space.axes.size());
  std::iota(order.begin(), order.end(), 0u);
  do {
    if (auto rising = directions(space, offsets, order)) {
      Schedule result{ScheduleKind::rows, order, std::move(*rising), {}, 0, {}};
      for (const auto& offset : offsets) result.history = std::max(result.history, std::abs(offset[order.front()]));
      return result;
    }
  } while (order.size() <= most_permuted_axes && std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

// --- hyperplanes ---

bool rises(const std::vector<std::int32_t>& theta, const Offsets& offsets) {
  return std::all_of(offsets.begin(), offsets.end(), [&](const auto& offset) {
    std::int64_t product = 0;
    for (std::size_t axis = 0; axis < theta.size(); ++axis) product += std::int64_t{theta[axis]} * offset[axis];
    return product < 0;
  });
}

// Tries every vector with components up to `largest`, smaller ones first.
std::optional<Schedule> find_hyperplane(const Space& space, const Offsets& offsets) {
  const std::size_t axes = space.axes.size();
  const std::int32_t most = axes <= 3 ? 6 : axes == 4 ? 3 : 1;
  if (axes > most_permuted_axes) return std::nullopt;
  for (std::int32_t largest = 1; largest <= most; ++largest) {
    std::vector<std::int32_t> theta(axes, -largest);
    while (true) {
      const bool is_allowed = std::all_of(theta.begin(), theta.end(), [&, axis = std::size_t{0}](auto t) mutable {
        return !space.axes[axis++].wrap || t == 0;
      });
      if (is_allowed && rises(theta, offsets)) return Schedule{ScheduleKind::hyperplane, {}, {}, theta, -1, {}};
      std::size_t axis = axes;
      while (axis > 0 && theta[axis - 1] == largest) theta[--axis] = -largest;
      if (axis == 0) break;
      ++theta[axis - 1];
    }
  }
  return std::nullopt;
}

std::string list_offsets(const Offsets& offsets) {
  std::string text;
  for (const auto& offset : offsets) text += fmt::format("{}({})", text.empty() ? "" : " ", fmt::join(offset, ", "));
  return text;
}

Schedule on_demand(std::string reason) { return {ScheduleKind::on_demand, {}, {}, {}, -1, std::move(reason)}; }

}  // namespace

std::vector<EventGroup> event_groups(const System& system) {
  std::vector<std::vector<std::uint32_t>> edges(system.events.size());
  std::vector<std::set<EventId>> read(system.events.size());
  const EventsRead events_read(system);
  for (std::uint32_t i = 0; i < system.events.size(); ++i) {
    read[i] = events_read.of(EventId{i});
    for (const EventId source : read[i]) edges[i].push_back(source.index);
    for (const Dependence& dependence : dependences(system, EventId{i})) edges[i].push_back(dependence.source.index);
  }
  std::vector<EventGroup> groups;
  for (const auto& component : Components(edges).found) {
    EventGroup group;
    for (const std::uint32_t member : component) group.events.push_back(EventId{member});
    const std::unordered_set<EventId> own(group.events.begin(), group.events.end());
    for (const EventId event : group.events) {
      for (const EventId other : read[event.index]) group.reads_itself = group.reads_itself || own.count(other) > 0;
    }
    if (const auto order = statement_order(system, group.events)) group.events = *order;
    group.frame = system[group.events.front()].frame;
    group.space = system[group.events.front()].space;
    groups.push_back(std::move(group));
  }
  return groups;
}

Schedule schedule(const System& system, const EventGroup& group) {
  if (group.reads_itself) return on_demand("a cell reads the group at computed indices");
  if (!statement_order(system, group.events))
    return on_demand("a cell depends on itself, unless a condition avoids it");
  Offsets offsets;
  const std::unordered_set<EventId> own(group.events.begin(), group.events.end());
  for (const EventId event : group.events) {
    for (const Dependence& dependence : dependences(system, event)) {
      if (own.count(dependence.source) > 0 && !is_zero(dependence.offset)) offsets.push_back(dependence.offset);
    }
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  const Space& space = system[group.space];
  if (auto rows = find_rows(space, offsets)) {
    rows->reason =
        offsets.empty() ? "no cell depends on another" : "every dependence points back: " + list_offsets(offsets);
    return *rows;
  }
  if (auto plane = find_hyperplane(space, offsets)) {
    plane->reason = "no order of the axes has every dependence pointing back: " + list_offsets(offsets);
    return *plane;
  }
  return on_demand("no hyperplane rises along every dependence: " + list_offsets(offsets));
}

namespace {

// Whether `value` can be evaluated in an activation of the event's frame before anything about the event is known.
bool is_known_before(const System& system, const FreeBinders& binders, const EventsRead& events_read, EventId event,
                     ValueId value) {
  const FrameId frame = system[event].frame;
  const bool is_visible = !any_reachable(system, value, [&](const Node& node) {
    FrameId needed = System::root_frame;
    if (const auto* n = std::get_if<Parameter>(&node)) needed = system[n->parameter].frame;
    if (const auto* n = std::get_if<Reference>(&node)) needed = system[n->definition].frame;
    if (const auto* n = std::get_if<Call>(&node)) needed = system[n->frame].parent;
    if (const auto* n = std::get_if<Read>(&node)) needed = system[n->event].frame;
    return !encloses(system, needed, frame);
  });
  return binders.of(value).empty() && is_visible && events_read.of({value}).count(event) == 0;
}

// Finds what is read of every event in one pass over the system.
class PatternCollector {
 public:
  explicit PatternCollector(const System& system)
      : found(system.events.size()), system_(system), binders_(system), events_read_(system) {}

  void run() {
    for (const Definition& definition : system_.definitions) {
      if (definition.body.valid()) walk(definition.body);
    }
    for (const Root& root : system_.roots) for_each_value_of_root(root, [&](ValueId value) { walk(value); });
    for (const Space& space : system_.spaces) {
      for (const Axis& axis : space.axes) walk(axis.first), walk(axis.last);
    }
    for (const EventGroup& group : event_groups(system_)) {
      own_ = group.events;
      seen_.clear();
      for (const EventId event : own_) walk(system_[event]);
    }
  }

  std::vector<std::vector<ReadPattern>> found;

 private:
  void walk(const Event& event) {
    for_each_value(event, [&](ValueId value) { walk(value); });
    for (const Constraint& constraint : event.constraints) {
      if (constraint.source.valid() && !is_own(constraint.source))
        add(constraint.source, everything(constraint.source));
    }
  }

  void walk(ValueId start) {
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!seen_.insert(value).second) continue;
      const Node& node = system_[value].node;
      if (const auto* read = std::get_if<Read>(&node)) add(read->event, pattern(*read));
      const auto* neighbour = std::get_if<Neighbour>(&node);
      if (neighbour && !is_own(neighbour->event)) add(neighbour->event, everything(neighbour->event));
      for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
    }
  }

  // Whether the event belongs to the present group.
  bool is_own(EventId event) const { return std::find(own_.begin(), own_.end(), event) != own_.end(); }

  ReadPattern everything(EventId event) const {
    return {std::vector<std::optional<ValueId>>(system_[system_[event].space].axes.size())};
  }

  ReadPattern pattern(const Read& read) const {
    ReadPattern result;
    for (const ValueId index : read.indices) {
      result.axes.push_back(is_known_before(system_, binders_, events_read_, read.event, index) ? std::optional(index)
                                                                                                : std::nullopt);
    }
    return result;
  }

  void add(EventId event, ReadPattern pattern) {
    std::vector<ReadPattern>& patterns = found[event.index];
    const auto is_same = [&](const ReadPattern& other) { return other.axes == pattern.axes; };
    if (std::none_of(patterns.begin(), patterns.end(), is_same)) patterns.push_back(std::move(pattern));
  }

  const System& system_;
  const FreeBinders binders_;
  const EventsRead events_read_;
  std::vector<EventId> own_;
  std::unordered_set<ValueId> seen_;
};

class HoistCollector {
 public:
  HoistCollector(const System& system, const EventGroup& group, const FreeBinders& binders)
      : system_(system), group_(group), binders_(binders) {}

  void add(EventId id) {
    const Event& event = system_[id];
    if (event.general() || group_.reads_itself) return;
    bool first_cell_needs_else = true;  // all its sources are off the space
    for (const Constraint& constraint : event.constraints) {
      first_cell_needs_else = first_cell_needs_else && constraint.source == id;
      if (constraint.guard.valid()) continue;
      const bool is_constant = !constraint.source.valid();
      add(constraint.weights,
          {{}, is_constant ? std::nullopt : std::optional(constraint.offset), id, constraint.location});
    }
    if (first_cell_needs_else) add(event.otherwise, {{}, std::nullopt, id, event.location});
  }

  std::vector<Hoisted> found;

 private:
  void add(const std::vector<ValueId>& weights, Hoisted hoisted) {
    for (const ValueId weight : weights) {
      if (may_be_absent(system_, weight)) return;  // what comes after it may not be needed
      if (!binders_.of(weight).empty()) continue;
      hoisted.value = weight;
      const auto is_same = [&](const Hoisted& other) {
        return other.value == weight && other.offset == hoisted.offset;
      };
      if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(hoisted);
    }
  }

  const System& system_;
  const EventGroup& group_;
  const FreeBinders& binders_;
};

}  // namespace

std::vector<std::vector<ReadPattern>> read_patterns(const System& system) {
  PatternCollector collector(system);
  collector.run();
  return std::move(collector.found);
}

std::vector<Hoisted> hoisted(const System& system, const EventGroup& group, const FreeBinders& binders) {
  HoistCollector collector(system, group, binders);
  for (const EventId event : group.events) collector.add(event);
  return std::move(collector.found);
}

bool has_source(const Space& space, const std::vector<std::int32_t>& offset, const std::vector<std::int64_t>& first,
                const std::vector<std::int64_t>& last) {
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    if (!space.axes[axis].wrap && std::abs(std::int64_t{offset[axis]}) > last[axis] - first[axis]) return false;
  }
  return true;
}

}  // namespace wave::ir
