// Loads the JIT's module once, and checks that it is of this build.
#include "backend/engine_choice.h"

#include "backend/interpreter/engine.h"
#include "backend/jit/plugin.h"
#include "base/plugin.h"

#include <fmt/format.h>

#include <mutex>

namespace wave::backend {

namespace {

// The module stays loaded: engines and threads of LLVM may outlive any scope here.
const auto& plugin() {
  static const auto loaded = load_plugin<jit::Plugin>(plugin_path("WAVE_JIT_PLUGIN", "libwave-jit.so"),
                                                      jit::plugin_symbol, WAVE_JIT_ABI, "the JIT");
  return loaded;
}

// The kernels of an engine are made when they are first asked for.
kernels::Provider provider(const EngineOptions& options) {
  struct Made {
    std::once_flag once;
    std::unique_ptr<kernels::Kernels> kernels;
  };
  return [options, made = std::make_shared<Made>()] {
    std::call_once(made->once, [&] {
      if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin()))
        made->kernels = (*loaded)->make_kernels(options);
    });
    return made->kernels.get();
  };
}

}  // namespace

std::variant<std::unique_ptr<Engine>, std::string> make_engine(EngineKind kind, const ir::System& system,
                                                               const EngineOptions& options) {
  if (kind != EngineKind::interpreter && !options.cpu.empty()) {
    const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin());
    if (loaded) {
      if (std::string trouble = (*loaded)->trouble(options); !trouble.empty()) return trouble;
    }
  }
  switch (kind) {
    case EngineKind::interpreter: return make_interpreter(system, options);
    case EngineKind::automatic:
      return make_evaluator(system, options, kernels::Policy::when_worth_it, provider(options));
    case EngineKind::jit: break;
  }
  if (const auto* const missing = std::get_if<NoPlugin>(&plugin())) return missing->reason;
  return make_evaluator(system, options, kernels::Policy::always, provider(options));
}

std::variant<std::string, std::string> dump_llvm(const ir::System& system, const EngineOptions& options) {
  using Dump = std::variant<std::string, std::string>;
  const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin());
  if (!loaded) return Dump(std::in_place_index<1>, std::get<NoPlugin>(plugin()).reason);
  std::string text;
  for (const auto& [name, excerpt] : kernel_excerpts(system, options)) {
    Dump dump = (*loaded)->dump(excerpt, options);
    if (dump.index() == 1) return dump;
    text += fmt::format("; === {} ===\n{}\n", name, std::get<0>(dump));
  }
  if (text.empty())
    text = "; nothing of this is compiled: it has no recurrences with an order of loops, and no loops\n";
  return Dump(std::in_place_index<0>, std::move(text));
}

std::variant<std::string, std::string> dump_batch_llvm(const ir::System& system,
                                                       const std::vector<ir::DefinitionId>& parameters,
                                                       const std::vector<Wanted>& wanted,
                                                       const EngineOptions& options) {
  using Dump = std::variant<std::string, std::string>;
  const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin());
  if (!loaded) return Dump(std::in_place_index<1>, std::get<NoPlugin>(plugin()).reason);
  return (*loaded)->dump_batch(system, parameters, wanted, options);
}

void force_jit_windows(bool force) {
  if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin())) (*loaded)->force_windows(force);
}

void wish_jit_lanes(const jit::LaneWishes& wishes) {
  if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin())) (*loaded)->wish_lanes(wishes);
}

JitCounts jit_counts(const Engine& engine) { return kernel_counts(engine); }

}  // namespace wave::backend
