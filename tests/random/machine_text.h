// Random machines, as text.
#pragma once

#include "tests/random/choices.h"

#include <string>
#include <vector>

namespace wave::test {

struct MachineText {
  std::string text;                     // a machine `Net`
  std::vector<int> limits;              // sizes at which another protocol begins
  std::vector<std::string> costs;       // statements that call its collectives as costs
  std::vector<std::string> algorithms;  // and as algorithms
};

MachineText random_machine(Choices& choose);

}  // namespace wave::test
