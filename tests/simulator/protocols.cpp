// Protocols: what one message makes its two ends do.
#include "tests/simulator/protocols.h"

#include <algorithm>
#include <cmath>

namespace wave::simulator {

using namespace frontend;

double weight(double time, double quantum, Location location) {
  if (time < 0) throw Failed{"negative_quantity", location};
  if (!std::isfinite(time)) throw Failed{"weight_not_finite", location};
  return quantum == 0 ? time : std::nearbyint(time / quantum) * quantum;
}

Chosen choose_protocol(Evaluator& evaluator, const std::shared_ptr<Instance>& machine, double size, bool local) {
  for (const Item* protocol : protocols_of(*machine->declaration)) {
    const auto& node = std::get<item::Protocol>(protocol->node);
    Scope scope{machine, with(with(nullptr, node.parameters.at(0).name.text, {size}), "local", {local})};
    if (!node.condition || evaluator.boolean(*node.condition, scope)) return {protocol, scope};
  }
  throw Unsupported{"a machine without a protocol"};
}

std::vector<Step> steps_of(Evaluator& evaluator, const Chosen& chosen, bool sender, double quantum) {
  std::vector<Step> steps;
  const auto time = [&](const ExprPtr& e, Location location) {
    return e ? weight(evaluator.real(*e, chosen.scope), quantum, location) : 0.0;
  };
  for (const auto& statement : sender ? chosen.node().sender : chosen.node().receiver) {
    const Location location = statement->location;
    if (const auto* busy = std::get_if<statement::Busy>(&statement->node)) {
      steps.push_back({Step::Kind::busy, "", "", time(busy->time, location), 0});
    } else if (const auto* emit = std::get_if<statement::Emit>(&statement->node)) {
      const double occupied = time(emit->occupied, location);
      steps.push_back({Step::Kind::emit, emit->signal.text, emit->resource ? emit->resource->text : "",
                       time(emit->after, location), occupied});
    } else if (const auto* await = std::get_if<statement::Await>(&statement->node)) {
      steps.push_back({Step::Kind::await, await->signal.text, await->resource ? await->resource->text : "", 0,
                       time(await->occupied, location)});
    } else if (const auto* acquire = std::get_if<statement::Acquire>(&statement->node)) {
      steps.push_back({Step::Kind::acquire, "", acquire->resource.text, 0, time(acquire->occupied, location)});
    } else if (const auto* arrival = std::get_if<statement::Arrival>(&statement->node)) {
      const double occupied = time(arrival->occupied, location);
      steps.push_back({Step::Kind::arrival, arrival->signal.text, arrival->resource ? arrival->resource->text : "",
                       time(arrival->time, location), occupied});
    } else {
      throw Unsupported{"such a statement in a protocol"};
    }
  }
  return steps;
}

bool takes_in_on_arrival(const Item& machine) {
  const auto on_arrival = [](const Block& steps) {
    return std::any_of(steps.begin(), steps.end(),
                       [](const auto& step) { return std::holds_alternative<statement::Arrival>(step->node); });
  };
  const auto protocols = protocols_of(machine);
  return std::any_of(protocols.begin(), protocols.end(), [&](const Item* protocol) {
    const auto& node = std::get<item::Protocol>(protocol->node);
    return on_arrival(node.sender) || on_arrival(node.receiver);
  });
}

}  // namespace wave::simulator
