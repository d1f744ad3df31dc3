// See resource_use.h.
#include "backend/processes/resource_use.h"

namespace wave::backend::processes {

namespace {

void look_at(const ir::System& system, const ir::Statement& statement, ResourceUse& use) {
  const auto* const message = std::get_if<ir::Message>(&statement.node);
  if (!message) return;
  for (const ir::Protocol& protocol : system[message->ends].protocols) {
    for (const auto* const steps : {&protocol.sender, &protocol.receiver}) {
      for (const ir::Step& step : *steps) {
        use.on_arrival = use.on_arrival || step.kind == ir::Step::Kind::arrival;
        use.any = use.any || step.resource || step.kind == ir::Step::Kind::arrival;
      }
    }
  }
}

}  // namespace

ResourceUse resource_use(const ir::System& system, const ir::Process& process) {
  ResourceUse use;
  for (const ir::Block& block : process.blocks) {
    for (const ir::Statement& statement : block) look_at(system, statement, use);
  }
  return use;
}

}  // namespace wave::backend::processes
