// Kernels by LLVM.
#pragma once

#include "backend/kernels/kernel.h"

#include <memory>

namespace wave::jit {

std::unique_ptr<backend::kernels::Kernels> make_kernels(const backend::EngineOptions& options);

}  // namespace wave::jit
