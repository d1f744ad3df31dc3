// Which processes share a level: a node, a switch (ir::SharedLevel).
#pragma once

#include "backend/processes/program/peers.h"
#include "backend/processes/program/scalars.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::backend::processes {

class SharedLevels {
 public:
  // Finds them for all processes. Throws Failed: what a scalar meets, of the first process in row-major order, or
  // levels_not_nested.
  SharedLevels(Scalars& scalars, const ir::Process& process, const Places& places,
               const std::function<void()>& look_at_clock);

  // Those who share something on a level, numbered in the order of their first processes.
  struct Groups {
    std::int64_t level = 0;         // LevelName::number
    std::vector<std::uint32_t> of;  // by rank
    std::uint32_t count = 0;
    // Groups of one process share nothing.
    bool share() const { return count < of.size(); }
  };
  // Null: nothing is shared on this level, so each process is by itself.
  const Groups* find(std::int64_t level) const;
  // Who share the instances of a resource; null: each process has its own. `resource`: of MessageEnds::resources.
  const Groups* sharers(const ir::MessageEnds& machine, std::uint32_t resource) const;
  std::int64_t bytes() const;

 private:
  std::vector<Groups> levels_;  // the innermost first
};

}  // namespace wave::backend::processes
