// Random machines, as text.
#pragma once

#include "tests/random/choices.h"

#include <string>
#include <vector>

namespace wave::test {

// What a random machine is like.
struct MachineManner {
  bool resources = false;   // protocols ask for them
  bool on_arrival = false;  // and for the processor, when signals arrive
  bool ties = false;        // few distinct, small times, so that much happens at one of them
};
MachineManner random_manner(Choices& choose, bool resources);

struct MachineText {
  std::string text;                     // a machine
  std::vector<int> limits;              // sizes at which another protocol begins
  std::vector<std::string> costs;       // statements that call its collectives as costs
  std::vector<std::string> algorithms;  // and as algorithms
};

MachineText random_machine(Choices& choose, const std::string& name, const MachineManner& manner);

}  // namespace wave::test
