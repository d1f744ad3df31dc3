// The code of a strip: some rows of one plane for the tiles of one block.
#pragma once

#include "backend/jit/sweep/plan.h"

#include <llvm/IR/Module.h>

#include <string>

namespace wave::jit::sweep {

// Adds a function to the module.
void emit_strip(llvm::Module& module, const std::string& name, const Plan& plan, const Shape& shape);

}  // namespace wave::jit::sweep
