// The code of a reduction in vector lanes: its iterations side by side, written into columns.
#pragma once

#include "backend/jit/lanes/reduction_plan.h"
#include "backend/jit/module_emitter.h"

namespace wave::jit::lanes {

// reduction_V_F_L(context, record, arguments): ReductionArguments; `count` is at least 1, and columns have room for a
// whole number of vectors.
void emit_reduction(ModuleEmitter& module, ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes,
                    llvm::Function* function);

}  // namespace wave::jit::lanes
