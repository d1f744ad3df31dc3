// Turns recurrences into expressions. If the costs of an event are the same everywhere, a read of it becomes a formula
// for its value. The recurrence is then only needed for cases that the proof does not cover.
#pragma once

#include "backend/engine.h"
#include "ir/system.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::backend::closed_form {

// The definitions that replace an event. They are appended to the event's frame. All but `holds` have values only if
// the extents are in order and the weights are finite.
struct Replacement {
  ir::EventId event;
  std::string name;        // of the proof: "equal paths"
  ir::DefinitionId fits;   // boolean: the extents are in order; false, or failing, where the event's group would fail
  ir::DefinitionId holds;  // boolean: the weights are finite, and sums of them exact
  ir::DefinitionId bound, quantum, error, cells;  // as EventReport has them
};

// The same system for whoever asks for roots and definitions: the same values, to the last bit, and the same failures,
// but for limits that are not met. All ids keep their meaning; values and definitions have been appended. A read E[i,
// j] of a replaced event has become Select(fits and on the grid and holds, expression, E[i, j]), marked as a shortcut.
struct Symbolic {
  ir::System system;
  std::vector<Replacement> replaced;  // by the frames of their events: every activation asks for those of its own
};

// `system` must have passed ir::verify.
Symbolic replace_recurrences(const ir::System& system);

// What an activation of a frame knows: the values of definitions that have been evaluated, and of its parameters.
struct Knowledge {
  std::function<std::optional<ir::Scalar>(ir::DefinitionId)> definition;
  std::function<ir::Scalar(ir::ParameterId)> parameter;
};

// Reports on the replaced events of a frame of which `holds` has been evaluated and is true. What else is missing is
// worked out from what is known, where it can be.
std::vector<EventReport> report_replaced(const Symbolic& symbolic, ir::FrameId frame, const Knowledge& known);

}  // namespace wave::backend::closed_form
