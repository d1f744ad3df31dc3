// Takes all processes through their whole program by its instructions, in the order of time. This is what every other
// way has to agree with (`--engine interpreter --no-shortcuts`), and what says why a program does not come to its end.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/input.h"

namespace wave::backend::processes::engine {

// `state`: fresh, then at the end. `operations` is added to. `watcher`: null, nobody is notified. Throws Failed:
// limits; what a scalar meets (some process's, not the first); size_mismatch, unmatched_message (the first) or
// deadlock.
void run_whole_program(const ProgramInput& input, ProcessState& state, double& operations,
                       ProgramWatcher* watcher = nullptr);

// The same from the beginning, for `watcher` alone.
void run_whole_program(const ProgramInput& input, ProgramWatcher& watcher);

// The same after a faster way has not come to the end of the program. What is wrong with messages is looked for first.
void finish_or_explain(const ProgramInput& input, ProcessState& state, double& operations);

}  // namespace wave::backend::processes::engine
