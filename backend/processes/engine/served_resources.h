// The resources of all machines, numbered, and how they are served (docs/processes.md, Resources).
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/program/bytecode.h"
#include "backend/processes/program/shared_levels.h"

#include <vector>

namespace wave::backend::processes::engine {

class ServedResources {
 public:
  ServedResources(const ir::System& system, const ir::Process& process, const program::Bytecode& program,
                  const SharedLevels& levels);

  Number number(ir::EndsId machine, std::uint32_t resource) const { return first_[machine.index] + resource; }
  std::size_t count() const { return is_at_once_.size(); }
  // Whether each process has one of it, with one server.
  bool is_simple(Number resource) const { return is_simple_[resource]; }
  // Whose members share resources with nobody else; null: nothing is shared.
  const SharedLevels::Groups* desks() const { return desks_; }
  // Whether programs alone ask for it, in the foreground. Then whoever asks is served at once.
  bool is_at_once(Number resource) const { return is_at_once_[resource]; }
  const std::vector<bool>& at_once() const { return is_at_once_; }
  // Whether something happens on arrival, so that the processor is a resource, too.
  bool processor_serves() const { return processor_serves_; }
  // Of both ends of a message.
  std::size_t most_awaits() const { return most_awaits_; }

 private:
  std::vector<Number> first_;  // by MessageEnds
  std::vector<bool> is_at_once_, is_simple_;
  const SharedLevels::Groups* desks_ = nullptr;
  bool processor_serves_ = false;
  std::size_t most_awaits_ = 1;
};

}  // namespace wave::backend::processes::engine
