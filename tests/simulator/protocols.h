// Protocols: what one message makes its two ends do.
#pragma once

#include "tests/simulator/evaluator.h"

namespace wave::simulator {

struct Step {
  enum class Kind { busy, emit, await, acquire, arrival } kind{};
  std::string signal;
  std::string resource;  // empty where it needs none
  double time = 0;       // of `busy` and of work on arrival; for an emitted signal, until it arrives
  double occupied = 0;   // how long the resource is occupied
};

// The protocol that a message takes, with the scope that the protocol is read in.
struct Chosen {
  const frontend::Item* protocol = nullptr;
  Scope scope;
  const frontend::item::Protocol& node() const { return std::get<frontend::item::Protocol>(protocol->node); }
};
Chosen choose_protocol(Evaluator& evaluator, const std::shared_ptr<Instance>& machine, double size, bool local);
std::vector<Step> steps_of(Evaluator& evaluator, const Chosen& chosen, bool sender, double quantum);

// Whether a protocol of the machine does something on arrival.
bool takes_in_on_arrival(const frontend::Item& machine);

// Checks that a time given to a process is finite and not negative, and rounds it to a multiple of the quantum (0: no
// rounding).
double weight(double time, double quantum, Location location);

}  // namespace wave::simulator
