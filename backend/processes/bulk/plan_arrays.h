// Collectives as costs need no messages and no order. They are evaluated on whole arrays of clocks.
#pragma once

#include "backend/processes/bulk/plan_fields.h"
#include "ir/process.h"

#include <vector>

namespace wave::backend::processes {

// `cost` on the quantum; null: nobody looks at it.
void synchronise(const ir::Collective& collective, const FieldPtr& cost, const PlanGrid& grid,
                 std::vector<double>& clocks);

}  // namespace wave::backend::processes
