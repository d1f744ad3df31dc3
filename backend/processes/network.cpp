// The network with clocks that are just times.
#include "backend/processes/network.h"

#include "backend/processes/network_core.h"

namespace wave::backend::processes {

template class network::Network<PlainTimes>;

namespace {

// The messages that have no other end, or one of another size, are found by calling all; only if there are none the
// processes wait for each other.
ir::Failure why_stopped(const NetworkInput& input, std::span<const ir::Statement> statements,
                        const network::Control& stopped) {
  PlainTimes times;
  network::Network<PlainTimes> all_called(input, statements, times);
  all_called.run_without_waiting();
  const auto failure = network::explain_messages(all_called.control());
  return failure ? *failure : network::explain_deadlock(stopped);
}

// False: it is not complete, or something is still open and must not be.
bool run(const NetworkInput& input, std::span<const ir::Statement> statements, ProcessState& state, double& operations,
         bool is_whole) {
  PlainTimes times;
  network::Network<PlainTimes> network(input, statements, times);
  network.phases = &state.phases;
  for (const double clock : state.clocks) network.clocks.push_back({clock});
  network.run();
  operations += network.operations();
  state.clocks = network.finishes();
  if (!is_whole) return network.control().is_quiet();
  if (!network.control().is_complete()) throw Failed{why_stopped(input, statements, network.control())};
  return true;
}

}  // namespace

double network_bytes_per_process(const NetworkInput& input, std::span<const ir::Statement> statements) {
  const network::Bytecode program(input.scalars.system(), input.process, input.binders, statements);
  return static_cast<double>(sizeof(network::Standing) + program.slots * sizeof(std::int64_t));
}

bool run_network_part(const NetworkInput& input, std::span<const ir::Statement> statements, ProcessState& state,
                      double& operations) {
  return run(input, statements, state, operations, false);
}

void run_network(const NetworkInput& input, ProcessState& state, double& operations) {
  run(input, input.process.blocks[input.process.body.index], state, operations, true);
}

}  // namespace wave::backend::processes
