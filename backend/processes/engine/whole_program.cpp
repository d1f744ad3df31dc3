// See whole_program.h.
#include "backend/processes/engine/whole_program.h"

#include "backend/processes/engine/deadlock.h"
#include "backend/processes/engine/instructions.h"
#include "backend/processes/engine/served.h"
#include "backend/processes/engine/unpaired.h"
#include "backend/processes/thresholds.h"

namespace wave::backend::processes::engine {

namespace {

program::Bytecode program_of(const ProgramInput& input) {
  return {input.scalars.system(), input.process, input.binders, input.process.blocks[input.process.body.index]};
}

}  // namespace

void run_whole_program(const ProgramInput& input, ProcessState& state, double& operations, ProgramWatcher* watcher) {
  const program::Bytecode program = program_of(input);
  Instructions instructions(input, program);
  Served served(input, program, state, {.watcher = watcher, .is_one_desk = true, .receptions_kept = receptions_kept});
  if (served.run(instructions.code()) == Served::Result::done) {
    operations += served.operations();
    return;
  }
  instructions.rethrow();
  served.rethrow_failure();
  if (auto failure = find_unpaired(input, program)) throw Failed{std::move(*failure)};
  throw Failed{explain_deadlock(input, [&](Number rank) { return served.stopped(rank); })};
}

void run_whole_program(const ProgramInput& input, ProgramWatcher& watcher) {
  ProcessState state;
  state.clocks.resize(static_cast<std::size_t>(input.places.count()));
  state.phases.resize(input.process.phases.size());
  double operations = 0;
  run_whole_program(input, state, operations, &watcher);
}

void finish_or_explain(const ProgramInput& input, ProcessState& state, double& operations) {
  if (auto failure = find_unpaired(input, program_of(input))) throw Failed{std::move(*failure)};
  run_whole_program(input, state, operations);
}

}  // namespace wave::backend::processes::engine
