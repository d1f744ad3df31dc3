// LLVM's half of the JIT.
#pragma once

#include "backend/jit/translator.h"

namespace wave::jit {

const TranslatorPlugin* llvm_translator();

}  // namespace wave::jit
