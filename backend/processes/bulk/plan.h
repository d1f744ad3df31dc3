// Evaluates a process part by part (plan_parts.h). Sweeps from one corner go to compiled kernels, collectives,
// computation and messages in an order are done on whole arrays of clocks, and the rest goes to the engine piece by
// piece. The bits are those of the engine on the whole program.
#pragma once

#include "backend/processes/bulk/kept_stretches.h"
#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/program/input.h"

#include <functional>
#include <span>
#include <string>

namespace wave::backend::processes {

struct PlanInput {
  const ProgramInput& program;
  SweepKernels& kernels;
  // Runs consecutive statements from one state to the next, with the loop variables around them bound. False: a message
  // is on its way, an operation pending or a process waiting at their end, or anything else that this piece cannot be
  // blamed for alone; the state is then of no use. May throw Failed.
  std::function<bool(std::span<const ir::Statement>, ProcessState&)> run_unordered;
  // Whether to skip tiles and iterations that need not be evaluated (identical_steps.h).
  bool shortcuts = false;
  // Told how long the present work will still take if nothing of it can be skipped. May throw Failed.
  std::function<void(double seconds)> expect = {};
  // Told that the last process finishes at this time or later, which is beyond 2^52 quanta. May throw something other
  // than Failed.
  std::function<void(double finish)> exceed = {};
  int threads = 1;                // for arrays of clocks
  KeptStretches* kept = nullptr;  // ProcessPlan
  bool in_batches = false;        // ProcessPlan::Wanted
};

struct PlanReport {
  std::string schedule;   // for `--verbose`: "8 sweeps: 2 tile + i + j, ...; 1 collective"
  double operations = 0;  // cells of the sweeps and the like, evaluated or not
};

// Takes the state before the program (clocks at 0, wanted phases with arrays of zeros) to the one after it. False if
// this program has no plan: then the engine has to take it as a whole, from the beginning, and the state is of no use.
// Throws Failed only for limits; the engine finds and reports all other failures.
bool run_plan(const PlanInput& input, ProcessState& state, PlanReport& report);

}  // namespace wave::backend::processes
