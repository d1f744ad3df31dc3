// In which order the cells of events are evaluated, and what of them must be kept.
#pragma once

#include "ir/system.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::ir {

class FreeBinders;

// Events that depend on each other (a strongly connected component), evaluated cell by cell together.
struct EventGroup {
  FrameId frame;
  SpaceId space;
  std::vector<EventId> events;  // in statement order: a dependence of offset zero points backwards
  // A cell reads the group other than by an offset (at computed indices, through a definition): then only cells
  // on demand will do, and the events may be on different spaces (`space` is that of the first).
  bool reads_itself = false;
};

enum class ScheduleKind {
  rows,        // a loop nest over the axes
  hyperplane,  // theta . p rises along every dependence; cells of equal theta . p in any order
  on_demand,   // no such order exists on all extents: cells are evaluated as they are needed, a cycle is found on the
               // way
};

struct Schedule {
  ScheduleKind kind{};
  // rows: axes from the outermost loop to the innermost. Per axis of the space: does its loop rise?
  std::vector<std::uint32_t> order;
  std::vector<bool> rising;
  std::vector<std::int32_t> theta;  // hyperplane: one per axis
  // rows: how many earlier slices of the outermost loop are read back; -1: all (its axis wraps, say).
  std::int32_t history = -1;
  std::string reason;  // for `--dump schedule`
};

// How a group is evaluated, once per activation of its frame, when a cell of it is first read:
// 1. the extents of the space, axis by axis, first before last; extent_not_positive;
// 2. the limits of memory and time, from an estimate;
// 3. the groups of sources and neighbours outside (not of reads), in order of appearance (`dependences` of its events);
// 4. the hoisted scalars, in their order; 5. the exactness of the group (ir/exact.h);
// 6. every cell. rows: the loop nest, the events of the group in its order at each point. hyperplane: by theta . p,
//    then by the axes in order, rising. on_demand: event by event, by the axes in order, rising, but a cell that
//    another needs before that one (which then begins anew).
// The first failure in this order is the group's.

// Every group of the system, a group after those it reads.
std::vector<EventGroup> event_groups(const System& system);

Schedule schedule(const System& system, const EventGroup& group);

// Which cells of an event code may read, outside its group or at computed indices. Per axis: a value without binders,
// of the event's own frame or one around it; or nothing, for every index. Equal patterns are listed once.
struct ReadPattern {
  std::vector<std::optional<ValueId>> axes;
};
std::vector<std::vector<ReadPattern>> read_patterns(const System& system);  // by event

// Scalars in the cells of a group that depend on no index and on no guard: evaluated before the first cell, in
// this order, by every engine, each only where some cell needs it (`offset`: of a constraint whose source is in
// the space for at least one cell of the actual extents; none: always needed). The rest, `otherwise` where the first
// cell does not surely need it among it, is evaluated in the cells that need it. Only events of constraints.
struct Hoisted {
  ValueId value;
  std::optional<std::vector<std::int32_t>> offset;  // of the constraint; not set: always needed
  EventId event;  // whose weight it is; where it is NaN or infinite: its site, and `place`
  Place place;
};
std::vector<Hoisted> hoisted(const System& system, const EventGroup& group, const FreeBinders& binders);

}  // namespace wave::ir
