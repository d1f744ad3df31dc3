// The code of a strip: some rows of one plane for the tiles of one block.
#pragma once

#include "backend/jit/sweep/plan.h"

#include <llvm/IR/Module.h>

namespace wave::jit::sweep {

inline constexpr const char* strip_name = "strip";
using StripFunction = void (*)(const std::int64_t* arguments);

// Adds the function `strip` to the module.
void emit_strip(llvm::Module& module, const Plan& plan, const Shape& shape);

}  // namespace wave::jit::sweep
