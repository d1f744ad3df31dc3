// Evaluates roots with the interpreter and the JIT and describes how they differ.
#pragma once

#include "backend/engine_choice.h"
#include "backend/kernels/choice.h"
#include "ir/system.h"

#include <string>
#include <vector>

namespace wave::parity {

// Empty where both outcomes have the same bits, or the same failure with the same kind, site, location, values and
// indices. If one engine exceeds a limit, the outcomes count as equal: nothing follows for the other engine, and how
// many exceed a limit depends on the machine.
std::string difference(const ir::System& system, const backend::Outcome& interpreted, const backend::Outcome& compiled);

struct Comparison {
  std::string difference;  // of the first root that differs, with its name; empty if none does
  std::size_t roots = 0;
  std::size_t failures = 0;  // roots that failed alike, without reaching a limit
  std::size_t limited = 0;   // roots that reached a limit in one engine, so that they test nothing
};

// Compares every root of the system under these bindings, in one evaluation by each engine.
Comparison compare(const ir::System& system, backend::Engine& interpreter, backend::Engine& jit,
                   const std::vector<backend::Binding>& bindings, const backend::Limits& limits = {});
// As the system is, and with its columns in functions, which kernels evaluate where tests decide so.
Comparison compare(const ir::System& system, const std::vector<backend::Binding>& bindings = {});

// The same rows, but each column of a row without loops is what a function gives.
ir::System in_functions(const ir::System& system);

// Decides as engines do outside of tests.
class AsUsual {
 public:
  AsUsual() { backend::kernels::decide_by({}); }
  AsUsual(const AsUsual&) = delete;
  ~AsUsual() {
    backend::kernels::decide_by([] { return true; });
  }
};

// An engine of a kind that must be available.
std::unique_ptr<backend::Engine> engine(backend::EngineKind kind, const ir::System& system,
                                        const backend::EngineOptions& options = {});

}  // namespace wave::parity
