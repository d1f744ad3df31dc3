// Random machines, as text.
#pragma once

#include "tests/random/choices.h"
#include "tests/random/processes.h"

#include <string>
#include <vector>

namespace wave::test {

// What kind of random machine is wanted.
struct MachineManner {
  bool noise = true;        // whether machines may lengthen what processes compute
  bool resources = false;   // whether protocols ask for resources
  bool on_arrival = false;  // whether they ask for the processor when signals arrive
  bool ties = false;        // few distinct, small times, so that many things happen at the same time
  bool shared =
      false;  // whether resources are shared by levels, or have several servers, and signals pass through several
  bool in_order = false;  // where they are not, whether they are asked for in the order of the program, as a rule
  bool sockets = false;   // whether machines know sockets as well as nodes
  // Whether all that is asked for is one thing at a time, in programs without sweeps: as a rule an order is known but
  // for who is served first.
  bool in_batches = false;
};
MachineManner random_manner(Choices& choose, bool resources);

struct MachineText {
  std::string text;                     // the machine
  std::vector<int> limits;              // sizes at which another protocol begins
  std::vector<std::string> costs;       // statements that call its collectives as costs
  std::vector<std::string> algorithms;  // statements that call them as algorithms
  std::vector<std::string> alone;       // the same, of those that call no cost
  Features features;
};

MachineText random_machine(Choices& choose, const std::string& name, const MachineManner& manner);

}  // namespace wave::test
