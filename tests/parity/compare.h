// Evaluates roots with both engines and says how they differ.
#pragma once

#include "backend/engine_choice.h"
#include "ir/system.h"

#include <string>
#include <vector>

namespace wave::parity {

// Empty where the outcomes have the same bits, or the same failure: kind, site, place, values and indices. A limit
// that was exceeded says nothing about the other engine. How many exceed one is a matter of the machine: nothing is
// expected of it.
std::string difference(const ir::System& system, const backend::Outcome& interpreted, const backend::Outcome& compiled);

struct Comparison {
  std::string difference;  // of the first root that differs, with its name; empty: none does
  std::size_t roots = 0;
  std::size_t failures = 0;     // roots that failed, alike, with no limit in the way
  std::size_t interpreted = 0;  // roots that the JIT left to the interpreter, which say nothing
  std::size_t limited = 0;      // roots that ran into a limit in one engine, which say nothing either
};

// Every root of the system under these bindings, in one evaluation of each engine.
Comparison compare(const ir::System& system, backend::Engine& interpreter, backend::Engine& jit,
                   const std::vector<backend::Binding>& bindings, const backend::Limits& limits = {});
Comparison compare(const ir::System& system, const std::vector<backend::Binding>& bindings = {});

// An engine of a kind that is known to be there.
std::unique_ptr<backend::Engine> engine(backend::EngineKind kind, const ir::System& system);

}  // namespace wave::parity
