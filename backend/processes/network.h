// The process network defines what a process means. Every process runs its own program until it must wait, a signal is
// delivered to the message that it belongs to, and resources serve whoever asks first (docs/processes.md).
// network_core.h runs the network.
#pragma once

#include "backend/processes/peers.h"
#include "backend/processes/process_state.h"
#include "backend/processes/resolved_ends.h"
#include "backend/processes/scalars.h"
#include "backend/processes/shared_levels.h"
#include "ir/dependences.h"

#include <functional>
#include <span>

namespace wave::backend::processes {

struct NetworkInput {
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
};

// Bytes that a process takes before its first message is under way, but for what is in its state.
double network_bytes_per_process(const NetworkInput& input, std::span<const ir::Statement> statements);

// Takes all processes through these statements. False: a message is on its way, an operation pending or a process
// waiting at their end; the state is then of no use. There must be no resources. Throws Failed. `operations` is added
// to.
bool run_network_part(const NetworkInput& input, std::span<const ir::Statement> statements, ProcessState& state,
                      double& operations);

// Takes all processes through their whole program. Throws Failed: what a scalar meets (some process's, not the first),
// or deadlock, unmatched_message, size_mismatch (the first).
void run_network(const NetworkInput& input, ProcessState& state, double& operations);

}  // namespace wave::backend::processes
