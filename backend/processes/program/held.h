// The memory that a process holds at most, in the order of its own program. No time is evaluated, and of the program
// only what decides what is held and released how often. Sizes count in 1/1024 of a byte.
#pragma once

#include "backend/processes/program/bound_scalars.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/program/uses.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::backend::processes {

class HeldMemory {
 public:
  HeldMemory(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders, const Places& places,
             std::function<void()> look_at_clock);

  // The largest sum of what this process holds at once, bytes. `memory` not valid: of all memory. Throws Failed:
  // released_more where more than a byte is released that is not held.
  double peak(ir::MemoryId memory, const std::vector<std::int64_t>& point);
  // Of all processes.
  double peak(ir::MemoryId memory);

 private:
  // From the beginning of a part of a program to its end, against what is held at its beginning.
  struct Course {
    __int128 change = 0, most = 0, least = 0;
    ir::HeldId at_least;  // what leads to the least; not valid: nothing does
    Course then(const Course& next) const;
    Course repeated(__int128 count) const;
  };
  Course course(ir::BlockId block);
  Course course(const ir::Statement& statement);
  Course course(const ir::Held& held, ir::HeldId id);
  Course inside(const ir::Compute&) { return {}; }
  Course inside(const ir::Message&) { return {}; }
  Course inside(const ir::Wait&) { return {}; }
  Course inside(const ir::Collective&) { return {}; }
  Course inside(const ir::Ready& node) { return course(node.tasks); }
  Course inside(const ir::Task&) { return {}; }  // holds nothing
  Course inside(const ir::Phase& node) { return course(node.body); }
  Course inside(const ir::Branch& node);
  Course inside(const ir::Loop& node) { return level(node, 0); }
  Course inside(const ir::Sweep& node);
  Course level(const ir::Loop& loop, std::size_t number);

  const ir::System& system_;
  const ir::Process& process_;
  const Places& places_;
  std::function<void()> look_at_clock_;
  BoundScalars values_;
  ProgramUses uses_;
  ir::MemoryId memory_;
  std::vector<std::int64_t> point_;
  std::uint64_t ticks_ = 0;
};

}  // namespace wave::backend::processes
