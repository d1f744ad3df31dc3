// Computation, collectives as costs, and straight stretches of messages need no network and no order. They are
// evaluated on whole arrays of clocks.
#pragma once

#include "backend/processes/plan_operations.h"
#include "backend/processes/process_state.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::backend::processes {

// `cost` on the quantum; null: nobody looks at it.
void synchronise(const ir::Collective& collective, const FieldPtr& cost, const PlanGrid& grid,
                 std::vector<double>& clocks);

// Which of two times was the later, by join and await (empty for other operations) and by process: the source or
// signal, or both were as late.
struct ArrayRecord {
  enum Choice : std::uint8_t { target = 0, source = 1, tie = 2 };
  std::vector<std::vector<std::uint8_t>> choices;
};

// The list must be ordered. `values`: what a carried register holds. Fills the record, where there is one.
void run_over_arrays(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
                     const std::function<std::vector<double>&(const Carried&)>& values,
                     const std::function<void()>& look_at_clock, ArrayRecord* record = nullptr);

}  // namespace wave::backend::processes
