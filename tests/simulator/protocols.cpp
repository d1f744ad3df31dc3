// Protocols: what one message makes its two ends do, and what it costs by itself.
#include "tests/simulator/protocols.h"

#include <cmath>
#include <limits>

namespace wave::simulator {

using namespace frontend;

double weight(double time, double quantum, Place place) {
  if (time < 0) throw Failed{"negative_quantity", place};
  if (!std::isfinite(time)) throw Failed{"weight_not_finite", place};
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
  const auto time = [&](const ExprPtr& e, Place place) {
    return e ? weight(evaluator.real(*e, chosen.scope), quantum, place) : 0.0;
  };
  for (const auto& statement : sender ? chosen.node().sender : chosen.node().receiver) {
    const Place place = statement->place;
    if (const auto* busy = std::get_if<statement::Busy>(&statement->node)) {
      steps.push_back({Step::Kind::busy, "", "", time(busy->time, place), 0});
    } else if (const auto* emit = std::get_if<statement::Emit>(&statement->node)) {
      const double occupied = time(emit->occupied, place);
      steps.push_back({Step::Kind::emit, emit->signal.text, emit->resource ? emit->resource->text : "",
                       time(emit->after, place), occupied});
    } else if (const auto* await = std::get_if<statement::Await>(&statement->node)) {
      steps.push_back({Step::Kind::await, await->signal.text, await->resource ? await->resource->text : "", 0,
                       time(await->occupied, place)});
    } else {
      throw Unsupported{"such a statement in a protocol"};
    }
  }
  return steps;
}

namespace {

// One end of a message that is alone in the world.
struct LoneEnd {
  std::vector<Step> steps;
  double clock;
  std::map<std::string, double> free;  // when its resources are
  std::map<std::string, double> sent;  // when its signals arrive
  std::size_t at = 0;

  double free_at(const std::string& resource) {
    return free.emplace(resource, -std::numeric_limits<double>::infinity()).first->second;
  }
  bool done() const { return at == steps.size(); }

  void advance(const LoneEnd& other) {
    for (; !done(); ++at) {
      const Step& step = steps[at];
      if (step.kind == Step::Kind::busy) {
        clock += step.time;
        continue;
      }
      double begin = clock;
      if (step.kind == Step::Kind::await) {
        const auto arrival = other.sent.find(step.signal);
        if (arrival == other.sent.end()) return;
        begin = arrival->second;
      }
      if (!step.resource.empty()) {
        begin = std::max(begin, free_at(step.resource));
        free[step.resource] = begin + step.occupied;
      }
      if (step.kind == Step::Kind::await)
        clock = std::max(clock, begin);
      else
        sent[step.signal] = begin + step.time;
    }
  }
};

}  // namespace

double cost_of_message(Evaluator& evaluator, const std::shared_ptr<Instance>& machine, const std::string& end,
                       double size, bool local, Place place) {
  if (size < 0) throw Failed{"negative_quantity", place};
  constexpr double long_ago = -std::numeric_limits<double>::infinity();
  const Chosen chosen = choose_protocol(evaluator, machine, size, local);
  LoneEnd sender{steps_of(evaluator, chosen, true, 0), end == "recv" ? long_ago : 0, {}, {}};
  LoneEnd receiver{steps_of(evaluator, chosen, false, 0), end == "send" ? long_ago : 0, {}, {}};
  while (!sender.done() || !receiver.done()) {
    const std::size_t before = sender.at + receiver.at;
    sender.advance(receiver);
    receiver.advance(sender);
    if (sender.at + receiver.at == before) throw Unsupported{"a protocol whose ends wait for each other"};
  }
  return end == "send" ? sender.clock : receiver.clock;
}

}  // namespace wave::simulator
