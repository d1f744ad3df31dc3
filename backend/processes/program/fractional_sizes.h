// Which statements send messages whose sizes are no whole numbers of bytes.
#pragma once

#include "backend/processes/program/accounts.h"
#include "backend/processes/program/peers.h"

#include <vector>

namespace wave::backend::processes {

// A message whose size is no whole number of bytes, where a process sends it first.
struct FractionalSize {
  Location location;             // of the statement
  double size = 0;               // bytes
  std::vector<std::int64_t> at;  // the process
};

// Looks through what the first processes do, up to some number of messages. Only messages that the program itself
// writes count, not those of algorithms of collectives.
std::vector<FractionalSize> find_fractional_sizes(Accountant& accountant, const Places& places);

}  // namespace wave::backend::processes
