// Batches: a few rows are evaluated like single ones, many in lanes.
#pragma once

#include "backend/batch.h"
#include "backend/interpreter/kernel_table.h"

#include <memory>
#include <vector>

namespace wave::backend::interpreter {

// Null where the table says never. `engine` evaluates single rows; all outlive the batch.
std::unique_ptr<Batch> make_kernel_batch(Engine& engine, KernelTable& table, const ir::System& system,
                                         const std::vector<ir::DefinitionId>& parameters,
                                         const std::vector<Wanted>& wanted);

}  // namespace wave::backend::interpreter
