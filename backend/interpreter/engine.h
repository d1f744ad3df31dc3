// The one evaluator as an engine.
#pragma once

#include "backend/engine.h"
#include "backend/jit_counts.h"
#include "backend/kernels/choice.h"
#include "backend/kernels/excerpt.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wave::backend {

// Hands to kernels what the policy says, as far as there are any. `system` must have passed ir::verify and outlive the
// engine.
std::unique_ptr<Engine> make_evaluator(const ir::System& system, const EngineOptions& options, kernels::Policy policy,
                                       kernels::Provider provider);

// What the kernels of such an engine have done.
JitCounts kernel_counts(const Engine& engine);

// Where kernels come from, for other evaluators of the system that an engine is for.
struct KernelSource {
  kernels::Policy policy = kernels::Policy::never;
  kernels::Provider provider = {};
};
KernelSource kernel_source(const Engine& engine);

// All that a kernel may evaluate, by name.
std::vector<std::pair<std::string, kernels::Excerpt>> kernel_excerpts(const ir::System& system,
                                                                      const EngineOptions& options);

}  // namespace wave::backend
