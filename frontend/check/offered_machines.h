// Machines that a text may name once it imports their module, for completion.
#pragma once

#include "frontend/ast/ast.h"

#include <string>
#include <vector>

namespace wave::frontend {

struct OfferedMachine {
  std::string module, name;  // "std.machines.ibm_sp2", "SP2"; the module by its key
  std::string doc;
  std::vector<std::string> types;   // itself, what it extends, and its interface: "std.comm.Machine"
  std::vector<std::string> needed;  // parameters without a default
};

// The name of a machine or an interface with that of its module.
std::string full_name(const Item& machine);

OfferedMachine offered_machine(const Item& machine);

// Those of the standard library, by the names of their modules. They are loaded once.
const std::vector<OfferedMachine>& library_machines();

}  // namespace wave::frontend
