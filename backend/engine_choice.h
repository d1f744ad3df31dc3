// Engines by kind, and the loader of the JIT: a module of its own, so that small models never load LLVM.
#pragma once

#include "backend/batch.h"
#include "backend/engine.h"
#include "backend/jit/lane_wishes.h"
#include "backend/jit_counts.h"

#include <memory>
#include <string>
#include <variant>

namespace wave::backend {

enum class EngineKind {
  interpreter,  // compiles nothing
  jit,          // compiles wherever there is something to compile
  automatic,    // compiles what would take longer as it is; without the JIT's module, nothing
};

// An engine, or why there is none: the module of the JIT is missing or of another build, no processor has the name that
// is asked for, or it is not one like this.
std::variant<std::unique_ptr<Engine>, std::string> make_engine(EngineKind kind, const ir::System& system,
                                                               const EngineOptions& options = {});

// Index 0: the LLVM IR of all that a kernel may evaluate, as emitted and after the passes. Index 1: why there is none.
std::variant<std::string, std::string> dump_llvm(const ir::System& system, const EngineOptions& options = {});

// The same of a batch of these columns (backend/batch.h); index 1 where nothing of it is in vector lanes, too.
std::variant<std::string, std::string> dump_batch_llvm(const ir::System& system,
                                                       const std::vector<ir::DefinitionId>& parameters,
                                                       const std::vector<Wanted>& wanted,
                                                       const EngineOptions& options = {});

JitCounts jit_counts(const Engine& engine);  // nothing where no kernel has been asked for
// Has the JIT keep windows of one or two slices wherever the reads allow it; for tests.
void force_jit_windows(bool force);
void wish_jit_lanes(const jit::LaneWishes& wishes);

}  // namespace wave::backend
