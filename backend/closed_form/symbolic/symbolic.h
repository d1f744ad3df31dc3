// Recurrences as expressions: reads of events whose costs are the same everywhere become what those events are worth
// there, so that nothing is left of the recurrence but the path for what the proof does not cover.
#pragma once

#include "backend/engine.h"
#include "ir/system.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::backend::closed_form {

// What stands for an event. All of it are definitions in the event's frame, appended to the system; but for `holds`
// they have values only where the extents are in order and the weights finite.
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
  std::vector<Replacement> replaced;
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
