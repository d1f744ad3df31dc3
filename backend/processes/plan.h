// A process taken apart: sweeps from one corner are given to compiled kernels, collectives and computation are done
// on whole arrays of clocks, and what is left goes to the network piece by piece. The same bits as the network on the
// whole program.
#pragma once

#include "backend/processes/process_state.h"
#include "backend/processes/resolved_ends.h"
#include "backend/processes/scalars.h"
#include "backend/processes/sweep_body.h"
#include "ir/dependences.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wave::backend::processes {

struct PlanInput {
  const ir::Process& process;
  const std::vector<std::int64_t>& extents;
  const ir::FreeBinders& binders;
  Scalars& scalars;
  EndsResolver& resolver;  // on the quantum
  double quantum = 0;
  SweepKernels& kernels;
  // Looks at the deadline; throws Failed.
  std::function<void()> look_at_clock;
  // Claims memory for the plan's own arrays, or gives it back (negative); throws Failed where the limit is exceeded.
  std::function<void(std::int64_t bytes)> claim_memory;
  // Runs consecutive statements from one state to the next, with the loop variables around them bound. False: a message
  // is on its way, an operation pending or a process waiting at their end, or anything else that this piece cannot be
  // blamed for alone; the state is then of no use. May throw Failed.
  std::function<bool(std::span<const ir::Statement>, ProcessState&)> network;
  // Tiles and iterations that need not be evaluated are not (identical_steps.h).
  bool shortcuts = false;
  // What is being done takes about so long yet, if nothing of it can be skipped. May throw Failed.
  std::function<void(double seconds)> expect = {};
  // The last process finishes at this time or later, which is beyond 2^52 quanta. May throw what is not Failed.
  std::function<void(double finish)> exceed = {};
};

struct PlanReport {
  std::string schedule;   // for `--verbose`: "8 sweeps: 2 tile + i + j, ...; 1 collective"
  double operations = 0;  // cells of the sweeps and the like, evaluated or not
};

// From the state before the program (clocks at 0, wanted phases with arrays of zeros) to the one after it. False: this
// program has no plan, the network has to take it as a whole, from the beginning; the state is then of no use. Throws
// Failed for limits only: what else fails, the network finds and words.
bool run_plan(const PlanInput& input, ProcessState& state, PlanReport& report);

}  // namespace wave::backend::processes
