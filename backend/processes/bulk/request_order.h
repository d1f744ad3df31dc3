// Where it is known beforehand in which order a resource serves: that of a program.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/shared_levels.h"
#include "ir/process.h"

#include <cstdint>
#include <set>

namespace wave::backend::processes {

// Does each process have this one to itself, with a single server? Null: nobody knows yet who shares what, and then it
// is whether that is possible.
bool is_simple(const ir::MessageEnds& machine, std::uint32_t resource, const SharedLevels* levels);

// Does an end of a message ask for simple resources alone, and for each only after all that its process asks for before
// in its program, whatever the clocks? So it does
//
// - with the steps of the foreground that ask when the end comes to them, `emit` and `acquire`;
// - with an `await` in the foreground, if the other end emits that signal only after it has awaited a signal that was
//   emitted here, after the step that asked last. The answer arrives later than that emit, and the program waits for
//   it.
//
// What goes on in the background never asks. So a resource that is asked for in no other way serves in the order of the
// program, and nobody asks for it from a time before the program's clock. When it is free again is a register beside
// that clock.
bool asks_in_order(const ir::MessageEnds& machine, const ir::Protocol& protocol, const ir::Message& message,
                   const SharedLevels* levels);

// The resources that some message of the process may ask for in another order. Those have to serve by time.
std::set<ResourceKey> served_by_time(const ir::System& system, const ir::Process& process, const SharedLevels& levels);

}  // namespace wave::backend::processes
