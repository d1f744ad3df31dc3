// Classifies what the weights of an event's constraints look at. The simpler it is, the more an engine can do with
// them.
#pragma once

#include "ir/system.h"

namespace wave::ir {

enum class CostClass {
  uniform,   // no weight looks at an index
  per_axis,  // each weight (and guard) looks at one index at most
  general,   // some weight looks at several indices, or at another event
  body,      // not an event of constraints
};

CostClass cost_class(const System& system, EventId event);

}  // namespace wave::ir
