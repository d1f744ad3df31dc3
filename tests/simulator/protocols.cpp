// Protocols: what one message makes its two ends do.
#include "tests/simulator/protocols.h"

#include "frontend/check/members.h"

#include <algorithm>
#include <cmath>

namespace wave::simulator {

using namespace frontend;

double weight(double time, double quantum, Location location) {
  if (time < 0) throw Failed{"negative_quantity", location};
  if (!std::isfinite(time)) throw Failed{"weight_not_finite", location};
  return quantum == 0 ? time : std::nearbyint(time / quantum) * quantum;
}

namespace {

// `sender.rank`
Value end_at(std::size_t rank) { return {GridPoint{nullptr, {static_cast<std::int64_t>(rank)}}}; }

}  // namespace

Chosen choose_protocol(Evaluator& evaluator, const std::shared_ptr<Instance>& machine, const Item& declaration,
                       double size, const Route& route) {
  for (const Item* protocol : protocols_of(declaration)) {
    const auto& node = std::get<item::Protocol>(protocol->node);
    LocalsPtr locals = with(nullptr, node.parameters.at(0).name.text, {size});
    locals = with(locals, "within", {Level{route.within}});
    locals = with(with(locals, "sender", end_at(route.sender)), "receiver", end_at(route.receiver));
    const Scope scope{machine, locals};
    if (!node.condition || evaluator.boolean(*node.condition, scope)) return {protocol, scope};
  }
  throw Unsupported{"a machine without a protocol"};
}

Chosen received_as(const Chosen& sent, const std::shared_ptr<Instance>& machine, double size) {
  if (machine == sent.scope.self) return sent;
  for (const Item* own : protocols_of(*machine->declaration)) {
    if (own->name.text != sent.protocol->name.text) continue;
    const std::string& size_name = std::get<item::Protocol>(own->node).parameters.at(0).name.text;
    return {own, {machine, with(sent.scope.locals, size_name, {size})}};
  }
  throw Unsupported{"a message between machines without a protocol of one name"};
}

namespace {

const item::Resource& resource_of(const Instance& machine, const std::string& name) {
  for (const Item* item : check::members_of_kind<item::Resource>(*machine.declaration)) {
    if (item->name.text == name) return std::get<item::Resource>(item->node);
  }
  throw Unsupported{"a resource that is not declared"};
}

Use use_of(Evaluator& evaluator, const Scope& scope, const statement::Use& use, double occupied, Location location) {
  const item::Resource& resource = resource_of(*scope.self, use.resource.text);
  const Scope machine{scope.self, nullptr};
  Use made{use.resource.text, occupied};
  if (resource.level) made.level = resource.level->text;
  if (resource.servers) made.servers = evaluator.integer(*resource.servers, machine);
  if (use.index) made.number = evaluator.integer(*use.index, scope);
  const std::int64_t count = resource.count ? evaluator.integer(*resource.count, machine) : 1;
  if (made.servers < 1 || made.number < 0 || made.number >= count) throw Failed{"require_failed", location};
  return made;
}

}  // namespace

std::vector<Step> steps_of(Evaluator& evaluator, const Chosen& chosen, bool sender, double quantum) {
  std::vector<Step> steps;
  const auto time = [&](const ExprPtr& e, Location location) {
    return e ? weight(evaluator.real(*e, chosen.scope), quantum, location) : 0.0;
  };
  const auto use = [&](const statement::Use& one, Location location) {
    return use_of(evaluator, chosen.scope, one, time(one.occupied, location), location);
  };
  const auto uses = [&](const std::vector<statement::Use>& all, Location location) {
    std::vector<Use> made;
    for (const statement::Use& one : all) made.push_back(use(one, location));
    return made;
  };
  for (const auto& statement : sender ? chosen.node().sender : chosen.node().receiver) {
    const Location location = statement->location;
    if (const auto* busy = std::get_if<statement::Busy>(&statement->node)) {
      steps.push_back({Step::Kind::busy, "", time(busy->time, location)});
    } else if (const auto* emit = std::get_if<statement::Emit>(&statement->node)) {
      auto asked = uses(emit->uses, location);
      steps.push_back({Step::Kind::emit, emit->signal.text, time(emit->after, location), std::move(asked)});
    } else if (const auto* await = std::get_if<statement::Await>(&statement->node)) {
      auto asked = uses(await->uses, location);
      steps.push_back({Step::Kind::await, await->signal.text, time(await->after, location), std::move(asked)});
    } else if (const auto* sent = std::get_if<statement::Sent>(&statement->node)) {
      const auto emit = std::find_if(steps.begin(), steps.end(), [&](const Step& one) {
        return one.kind == Step::Kind::emit && one.signal == sent->signal.text;
      });
      if (emit == steps.end() || (!sent->after && emit->uses.empty())) throw Unsupported{"a signal that never leaves"};
      const double passes = sent->after ? time(sent->after, location) : emit->uses.back().occupied;
      steps.push_back({Step::Kind::sent, sent->signal.text, passes});
    } else if (const auto* acquire = std::get_if<statement::Acquire>(&statement->node)) {
      steps.push_back({Step::Kind::acquire, "", 0, {use(acquire->use, location)}});
    } else if (const auto* arrival = std::get_if<statement::Arrival>(&statement->node)) {
      std::vector<Use> asked;
      if (arrival->use) asked.push_back(use(*arrival->use, location));
      steps.push_back({Step::Kind::arrival, arrival->signal.text, time(arrival->time, location), std::move(asked)});
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
