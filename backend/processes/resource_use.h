// Tells whether anything in a program asks for resources. Then the order of requests matters (docs/processes.md,
// Resources), and the parts of the program cannot be evaluated by themselves.
#pragma once

#include "ir/system.h"

namespace wave::backend::processes {

struct ResourceUse {
  bool any = false;         // by some protocol of a machine whose messages it exchanges
  bool on_arrival = false;  // something happens when a signal arrives, so the processor is a resource
};

ResourceUse resource_use(const ir::System& system, const ir::Process& process);

}  // namespace wave::backend::processes
