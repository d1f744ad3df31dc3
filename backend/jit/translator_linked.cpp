// LLVM's half of the JIT where it is linked in: tests and benchmarks of parts of the JIT.
#include "backend/jit/build_id.h"
#include "backend/jit/llvm_translator.h"
#include "backend/jit/translator.h"

namespace wave::jit {

std::variant<const TranslatorPlugin*, std::string> translator_plugin() { return llvm_translator(); }
std::string translator_build() { return build_id(own_file()); }

}  // namespace wave::jit
