// What must hold of operations in an order, whoever made or rewrote them.
#pragma once

#include "backend/processes/bulk/plan_operations.h"
#include "backend/processes/bulk/sweep_body.h"

#include <string>

namespace wave::backend::processes {

// The first thing that does not hold; empty: all does. Registers that are not carried are written before they are read;
// a signal has one emit and at most one await, which in an ordered list comes later; weights and peers are there.
std::string find_breach(const OperationList& list);
std::string find_breach(const SweepBody& body);

}  // namespace wave::backend::processes
