// Batches of the JIT. Models that need only scalars are evaluated in vector lanes, all others row by row.
#pragma once

#include "backend/batch.h"
#include "backend/jit/compiled_system.h"
#include "backend/jit/lanes/batch_plan.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::jit {

// What of a batch is evaluated in lanes.
struct BatchPlan {
  ir::System system;                   // specialized, after the passes
  lanes::BatchShape shape;             // for no number of lanes yet; no outputs: nothing is in lanes
  std::vector<std::size_t> slow;       // of what is wanted: what is not in lanes
  std::vector<std::string> obstacles;  // why it is not
  std::vector<std::string> left_out;   // what some rows may need that is not in lanes
};
BatchPlan plan_batch(const ir::System& system, const backend::EngineOptions& options,
                     const std::vector<ir::DefinitionId>& parameters, const std::vector<backend::Wanted>& wanted);

// `rows` evaluates single rows. All outlive the batch.
std::unique_ptr<backend::Batch> make_batch(backend::Engine& rows, SharedCompilation& shared, const ir::System& system,
                                           std::vector<ir::DefinitionId> parameters,
                                           std::vector<backend::Wanted> wanted);

}  // namespace wave::jit
