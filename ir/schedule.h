// The order in which the cells of events are evaluated, and which of them must be kept.
#pragma once

#include "ir/system.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::ir {

class FreeBinders;

// Events that depend on each other (a strongly connected component). They are evaluated together, cell by cell.
struct EventGroup {
  FrameId frame;
  SpaceId space;
  std::vector<EventId> events;  // in statement order: a dependence of offset zero points backwards
  // A cell reads its own group at computed indices or through a definition, not just at an offset. Such cells can only
  // be evaluated on demand, and the events may be on different spaces (`space` is that of the first).
  bool reads_itself = false;
};

enum class ScheduleKind {
  rows,        // a loop nest over the axes
  hyperplane,  // theta . p rises along every dependence; cells of equal theta . p in any order
  on_demand,   // no order fits all extents: each cell is evaluated when it is needed, and cycles are found on the way
};

struct Schedule {
  ScheduleKind kind{};
  // rows: the axes, from the outermost loop to the innermost, and for each axis of the space whether its loop rises.
  std::vector<std::uint32_t> order;
  std::vector<bool> rising;
  std::vector<std::int32_t> theta;  // hyperplane: one per axis
  // rows: how many earlier slices of the outermost loop are read again; -1: all, for example because its axis wraps.
  std::int32_t history = -1;
  std::string reason;  // for `--dump schedule`
};

// A group is evaluated once per activation of its frame, when one of its cells is first read:
// 1. the extents of the space, axis by axis, first before last; extent_not_positive;
// 2. the limits of memory and time, from an estimate;
// 3. the groups of sources and neighbours outside (not of reads), in order of appearance (`dependences` of its events);
// 4. the hoisted scalars, in their order; 5. the exactness of the group (ir/exact.h);
// 6. every cell. rows: the loop nest, the events of the group in its order at each point. hyperplane: by theta . p,
//    then by the axes in order, rising. on_demand: event by event, by the axes in order, rising; but a cell that
//    another one needs comes first, and the other one then begins again.
// The group fails with the first failure in this order.

// Every group of the system. A group comes after those that it reads.
std::vector<EventGroup> event_groups(const System& system);

Schedule schedule(const System& system, const EventGroup& group);

// The cells of an event that can be read from outside its group or at computed indices. Each axis has a value without
// binders, of the event's own frame or one around it, or nothing, which stands for every index. Equal patterns are
// listed once.
struct ReadPattern {
  std::vector<std::optional<ValueId>> axes;
};
std::vector<std::vector<ReadPattern>> read_patterns(const System& system);  // by event

// Scalars in the cells of a group that depend on no index and on no guard. Every engine evaluates them before the first
// cell, in this order, and only if some cell needs them: one with an `offset` belongs to a constraint, and is needed if
// the source of that constraint is in the space for at least one cell of the actual extents. Other scalars are
// evaluated in the cells that need them, and so is `otherwise` unless the first cell is sure to need it. Only events of
// constraints have hoisted scalars.
struct Hoisted {
  ValueId value;
  std::optional<std::vector<std::int32_t>> offset;  // of the constraint; not set: always needed
  EventId event;  // whose weight it is; if it is NaN or infinite, the failure has the site of this event and `location`
  Location location;
};
std::vector<Hoisted> hoisted(const System& system, const EventGroup& group, const FreeBinders& binders);
// Whether any cell of a space with these extents has a cell at this offset from it.
bool has_source(const Space& space, const std::vector<std::int32_t>& offset, const std::vector<std::int64_t>& first,
                const std::vector<std::int64_t>& last);

}  // namespace wave::ir
