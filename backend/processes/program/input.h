// What a way through a program of processes is given (docs/processes.md).
#pragma once

#include "backend/processes/program/ends.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/program/scalars.h"
#include "backend/processes/program/shared_levels.h"
#include "backend/processes/program/state.h"
#include "backend/processes/program/taken_calls.h"
#include "ir/dependences.h"

#include <functional>
#include <span>

namespace wave::backend::processes {

struct ProgramInput {
  const ir::Process& process;
  const Places& places;
  const SharedLevels& levels;
  const ir::FreeBinders& binders;
  Scalars& scalars;
  EndsResolver& resolver;  // on the quantum
  double quantum = 0;
  std::function<void()> look_at_clock;  // throws Failed
  // Claims memory, or gives it back (negative); throws Failed.
  std::function<void(std::int64_t bytes)> claim_memory;
  // Called, with resources, with a time that is too large for the quantum. May throw; the state does not matter then.
  std::function<void(double time)> too_late = [](double) {};
  // Every run of a program with `waitany` or tasks that comes to its end fills it; null: nobody asks.
  TakenCalls* taken = nullptr;
};

}  // namespace wave::backend::processes
