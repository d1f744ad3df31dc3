// How much passes through the resources of a process, and how long they are busy with it.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/counts.h"
#include "backend/processes/program/input.h"

#include <map>

namespace wave::backend::processes {

// Through all instances of a resource together.
struct ResourceTraffic {
  __int128 services = 0;
  ExactSum bytes;  // of the messages that it serves, once for each end that asks for it
};

// Every use of a step is served once, so messages that have been counted tell, without a time.
std::map<ResourceKey, ResourceTraffic> find_traffic(const ir::System& system, const MessageTally& tally);

struct BusyInstance {
  ResourceInstance instance;
  std::int64_t servers = 1;
  double busy = 0;  // ps up to the finish, of all servers
};

// Of each resource the instance that is busy for the longest time, the first if there are several. Runs the program.
// `finish`: of the process, ps. Throws Failed.
std::map<ResourceKey, BusyInstance> find_busiest(const ProgramInput& input, double finish);

}  // namespace wave::backend::processes
