// Finds what scalars and events depend on: binders, and events, by offset or by reading.
#pragma once

#include "ir/system.h"

#include <set>
#include <utility>
#include <vector>

namespace wave::ir {

// The binders that a value's evaluation looks at and that it does not bind itself. A neighbour looks at all axes
// of its space.
class FreeBinders {
 public:
  explicit FreeBinders(const System& system);
  // Sorted, without repetition.
  const std::vector<BinderId>& of(ValueId value) const { return binders_[value.index]; }

 private:
  std::vector<std::vector<BinderId>> binders_;
};

// An event's value at p needs that of `source` at p + offset.
struct Dependence {
  EventId source;
  std::vector<std::int32_t> offset;
  friend auto operator<=>(const Dependence&, const Dependence&) = default;
};

// Everything that evaluating `event` needs through constraints and neighbours, each once, in order of appearance.
std::vector<Dependence> dependences(const System& system, EventId event);

// By event: do others look at its cells by offset?
std::vector<bool> followed_events(const System& system);

// The events of the own frame and the frames around it whose cells the evaluation of these values may read,
// through definitions and calls as well. Events of an activation that a call makes afresh are looked through.
std::set<EventId> events_read(const System& system, const std::vector<ValueId>& values);

// The same for everything that an event holds and for the extents of its space; neighbours not included.
std::set<EventId> events_read(const System& system, EventId event);

}  // namespace wave::ir
