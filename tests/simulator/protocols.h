// Protocols: what one message makes its two ends do.
#pragma once

#include "tests/simulator/evaluator.h"

#include <optional>

namespace wave::simulator {

// A resource that a step asks for, as its machine declares it.
struct Use {
  std::string resource;
  double occupied = 0;  // how long the resource is
  std::int64_t number = 0;
  std::optional<std::string> level = {};  // on which it is shared; none: of the process
  std::int64_t servers = 1;
};

struct Step {
  enum class Kind { busy, emit, await, sent, acquire, arrival } kind{};
  std::string signal;
  // Of `busy` and of work on arrival; for an emitted signal, until it arrives; for an awaited one, from when its last
  // resource has begun until it passes; for one that is sent, the same, of the resources of its `emit`.
  double time = 0;
  std::vector<Use> uses = {};  // what it asks for, one after the other
};

// Where the two ends of a message are.
struct Route {
  std::string within = "none";
  std::size_t sender = 0, receiver = 1;
};

// The protocol that a message takes, with the scope that the protocol is read in.
struct Chosen {
  const frontend::Item* protocol = nullptr;
  Scope scope;
  const frontend::item::Protocol& node() const { return std::get<frontend::item::Protocol>(protocol->node); }
};
// `declaration` is that of the machine, or one that it extends.
Chosen choose_protocol(Evaluator& evaluator, const std::shared_ptr<Instance>& machine,
                       const frontend::Item& declaration, double size, const Route& route);
// What a receiver with this machine makes of it: its own protocol of that name.
Chosen received_as(const Chosen& sent, const std::shared_ptr<Instance>& machine, double size);
std::vector<Step> steps_of(Evaluator& evaluator, const Chosen& chosen, bool sender, double quantum);

// Whether a protocol of the machine does something on arrival.
bool takes_in_on_arrival(const frontend::Item& machine);

// Checks that a time given to a process is finite and not negative, and rounds it to a multiple of the quantum (0: no
// rounding).
double weight(double time, double quantum, Location location);

}  // namespace wave::simulator
