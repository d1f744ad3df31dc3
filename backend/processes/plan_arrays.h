// Computation, collectives as costs, and straight stretches of messages need no network and no order. They are
// evaluated on whole arrays of clocks.
#pragma once

#include "backend/processes/plan_operations.h"
#include "backend/processes/process_state.h"

#include <functional>

namespace wave::backend::processes {

// `cost` on the quantum; null: nobody looks at it.
void synchronise(const ir::Collective& collective, const FieldPtr& cost, const PlanGrid& grid,
                 std::vector<double>& clocks);

// The list must be ordered. `values`: what a carried register holds.
void run_over_arrays(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
                     const std::function<std::vector<double>&(const Carried&)>& values,
                     const std::function<void()>& look_at_clock);

}  // namespace wave::backend::processes
