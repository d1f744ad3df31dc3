// See whole_program.h.
#include "backend/processes/compiled/whole_program.h"

#include "backend/processes/compiled/deadlock.h"
#include "backend/processes/compiled/instructions.h"
#include "backend/processes/compiled/served.h"
#include "backend/processes/compiled/unpaired.h"
#include "backend/processes/thresholds.h"

namespace wave::backend::processes::compiled {

namespace {

network::Bytecode program_of(const NetworkInput& input) {
  return {input.scalars.system(), input.process, input.binders, input.process.blocks[input.process.body.index]};
}

}  // namespace

void run_whole_program(const NetworkInput& input, ProcessState& state, double& operations, ProgramWatcher* watcher) {
  const network::Bytecode program = program_of(input);
  Instructions instructions(input, program);
  Served served(input, program, state, {.watcher = watcher, .by_moments = true, .receptions_kept = receptions_kept});
  if (served.run(instructions.code()) == Served::Result::done) {
    operations += served.operations();
    return;
  }
  instructions.rethrow();
  if (auto failure = find_unpaired(input, program)) throw Failed{std::move(*failure)};
  throw Failed{explain_deadlock(input, [&](Number rank) { return served.stopped(rank); })};
}

void finish_or_explain(const NetworkInput& input, ProcessState& state, double& operations) {
  if (auto failure = find_unpaired(input, program_of(input))) throw Failed{std::move(*failure)};
  run_whole_program(input, state, operations);
}

}  // namespace wave::backend::processes::compiled
