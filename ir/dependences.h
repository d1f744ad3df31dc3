// Finds what scalars and events depend on: binders, and events that they read or look at by offset.
#pragma once

#include "ir/system.h"

#include <set>
#include <utility>
#include <vector>

namespace wave::ir {

// The binders that the evaluation of a value looks at and that the value does not bind itself. A neighbour looks at all
// axes of its space.
class FreeBinders {
 public:
  explicit FreeBinders(const System& system);
  // Sorted, without repetitions.
  const std::vector<BinderId>& of(ValueId value) const { return binders_[value.index]; }

 private:
  std::vector<std::vector<BinderId>> binders_;
};

// The event's value at p needs that of `source` at p + offset.
struct Dependence {
  EventId source;
  std::vector<std::int32_t> offset;
  friend auto operator<=>(const Dependence&, const Dependence&) = default;
};

// Everything that evaluating `event` needs through constraints and neighbours, once each, in the order of appearance.
std::vector<Dependence> dependences(const System& system, EventId event);

// For each event, whether others look at its cells by offset.
std::vector<bool> followed_events(const System& system);

// What is read through definitions and calls as well.
class EventsRead {
 public:
  explicit EventsRead(const System& system);

  // The events of this frame and of the frames around it whose cells the evaluation of these values may read. If a call
  // activates a frame afresh, this looks through its events.
  std::set<EventId> of(const std::vector<ValueId>& values) const;
  // The same for everything that an event holds and for the extents of its space, without neighbours.
  std::set<EventId> of(EventId event) const;

 private:
  const System& system_;
  // Of most events nothing that they hold leads to a cell, so that there is no need to look through it.
  std::vector<bool> leads_to_cells_;
};

}  // namespace wave::ir
