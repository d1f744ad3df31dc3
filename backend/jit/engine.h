// The JIT as an engine.
#pragma once

#include "backend/engine.h"
#include "backend/jit_counts.h"

#include <memory>

namespace wave::jit {

std::unique_ptr<backend::Engine> make_engine(const ir::System& system, const backend::EngineOptions& options);
backend::JitCounts counts(const backend::Engine& engine);

}  // namespace wave::jit
