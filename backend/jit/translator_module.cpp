// Loads LLVM's half of the JIT from the folder of this one.
#include "backend/jit/build_id.h"
#include "backend/jit/translator.h"

#include <dlfcn.h>

namespace wave::jit {

namespace {

std::string module_path() {
  std::string path = own_file();
  path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
  return path + "libwave-llvm.so";
}

using Loaded = std::variant<const TranslatorPlugin*, std::string>;

Loaded load() {
  const std::string path = module_path();
  void* const module = dlopen(path.c_str(), RTLD_LOCAL | RTLD_LAZY);
  const auto factory = module ? reinterpret_cast<TranslatorFunction>(dlsym(module, translator_symbol)) : nullptr;
  if (!factory) {
    const char* const reason = dlerror();
    return "the compiler cannot be loaded from " + path + (reason ? std::string(": ") + reason : std::string());
  }
  const TranslatorPlugin* const plugin = factory();
  if (std::string(plugin->abi) != WAVE_JIT_ABI)
    return "the compiler in " + path + " belongs to another build of this program";
  return plugin;
}

}  // namespace

// The module stays loaded, as long as the process runs.
std::variant<const TranslatorPlugin*, std::string> translator_plugin() {
  static const Loaded loaded = load();
  return loaded;
}

std::string translator_build() { return build_id(module_path()); }

}  // namespace wave::jit
