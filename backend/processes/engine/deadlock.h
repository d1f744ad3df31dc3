// Processes that wait for each other.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/program/input.h"
#include "ir/failure.h"

#include <functional>

namespace wave::backend::processes::engine {

// Where a process stands that cannot go on.
struct StoppedAt {
  const ir::Statement* statement = nullptr;
  Number other = none;  // the process that it waits for, if there is one
  std::int64_t where = ir::deadlock_at_wait;
  bool is_at_window = false;  // it waits to begin a message
};

// Nothing moves, though all messages fit (unpaired.h). `stopped`: of a rank; its statement is null where the process
// has finished. Once nothing moves, none of this depends on the order in which processes were run or resources served.
ir::Failure explain_deadlock(const ProgramInput& input, const std::function<StoppedAt(Number)>& stopped);

}  // namespace wave::backend::processes::engine
