// Resources as people are told of them: `nic of node`, `up[2] of switch 0`.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/input.h"

#include <string>

namespace wave::backend::processes {

inline const ir::Resource& resource_of(const ir::System& system, const ResourceKey& key) {
  return system[key.first].resources[key.second];
}

// `net.nic of node` where another machine has a resource of the same name and level.
std::string resource_name(const ir::System& system, const ResourceKey& key);

// Groups are numbered from 0, in the order of their first processes.
std::string instance_name(const ProgramInput& input, const ResourceInstance& instance);

// `P[1, 2]`
std::string process_name(const ProgramInput& input, std::int64_t rank);

}  // namespace wave::backend::processes
