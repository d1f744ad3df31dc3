// The one visible symbol of LLVM's half.
#include "backend/jit/llvm_translator.h"

extern "C" __attribute__((visibility("default"))) const wave::jit::TranslatorPlugin* wave_jit_translator() {
  return wave::jit::llvm_translator();
}
