// Batches of the JIT: what only needs scalars in vector lanes, everything else row by row.
#pragma once

#include "backend/batch.h"
#include "backend/jit/runtime.h"

#include <functional>
#include <memory>
#include <vector>

namespace wave::jit {

// `rows` evaluates single rows; `program` is what it runs. Both outlive the batch. `passes` is what becomes of a system
// before it is compiled.
std::unique_ptr<backend::Batch> make_batch(backend::Engine& rows, Program& program, const ir::System& system,
                                           const std::function<ir::System(const ir::System&)>& passes,
                                           std::vector<ir::DefinitionId> parameters, std::vector<backend::Wanted> wanted);

}  // namespace wave::jit
