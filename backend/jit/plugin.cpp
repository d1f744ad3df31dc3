// The module's one visible symbol.
#include "backend/jit/plugin.h"

#include "backend/interpreter/big_stack.h"
#include "backend/jit/compiler.h"
#include "backend/jit/engine.h"
#include "backend/jit/group.h"
#include "ir/passes.h"

namespace wave::jit {

namespace {

std::string dump_llvm(const ir::System& system, const backend::EngineOptions& options) {
  std::string text;
  backend::interpreter::run_on_big_stack([&](std::size_t) {
    const ir::System optimized = ir::run_passes(system);
    text = dump(Layout(optimized), options.cpu);
  });
  return text;
}

constexpr Plugin plugin{WAVE_JIT_ABI, make_engine, dump_llvm, counts, force_windows};

}  // namespace

}  // namespace wave::jit

extern "C" __attribute__((visibility("default"))) const wave::jit::Plugin* wave_jit_plugin() {
  return &wave::jit::plugin;
}
