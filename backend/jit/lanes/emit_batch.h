// The function of a batch: rows of columns in vector lanes.
#pragma once

#include "backend/jit/lanes/batch_plan.h"
#include "backend/jit/module_emitter.h"

namespace wave::jit::lanes {

// batch(context, record, arguments, from, to): rows `from`..`to`, a multiple of the lanes. The record is not looked at.
void emit_batch(ModuleEmitter& module, const BatchShape& shape, llvm::Function* function);

}  // namespace wave::jit::lanes
