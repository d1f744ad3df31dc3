// Runs a straight stretch on whole arrays of clocks as array_run.h does, but operation by operation, so that it can
// record which of two times was the later.
#pragma once

#include "backend/processes/plan_operations.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::backend::processes {

// Which of two times was the later, by join and await (empty for other operations) and by process: the source or
// signal, or both were as late.
struct ArrayRecord {
  enum Choice : std::uint8_t { target = 0, source = 1, tie = 2 };
  std::vector<std::vector<std::uint8_t>> choices;
};

// The list must be ordered. `values`: what a carried register holds. Fills the record, where there is one.
void run_recorded(const OperationList& list, const PlanGrid& grid, const std::vector<bool>& wrap,
                  const std::function<std::vector<double>&(const Carried&)>& values,
                  const std::function<void()>& look_at_clock, ArrayRecord* record = nullptr);

}  // namespace wave::backend::processes
