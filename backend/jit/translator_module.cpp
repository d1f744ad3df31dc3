// Loads LLVM's half of the JIT from the folder of this one.
#include "backend/jit/build_id.h"
#include "backend/jit/translator.h"
#include "base/plugin.h"

namespace wave::jit {

namespace {

std::string module_path() {
  std::string path = own_file();
  path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
  return path + "libwave-llvm.so";
}

}  // namespace

// The module stays loaded, as long as the process runs.
std::variant<const TranslatorPlugin*, std::string> translator_plugin() {
  static const auto loaded = load_plugin<TranslatorPlugin>(module_path(), translator_symbol, WAVE_JIT_ABI,
                                                           "the compiler", RTLD_LOCAL | RTLD_LAZY);
  if (const auto* const none = std::get_if<NoPlugin>(&loaded)) return none->reason;
  return std::get<const TranslatorPlugin*>(loaded);
}

std::string translator_build() { return build_id(module_path()); }

}  // namespace wave::jit
