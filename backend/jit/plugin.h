// What the program and the JIT module agree on. The module is loaded with dlopen when a model needs it, so
// that small models never pay for LLVM. Both sides come from one build: `abi` is a digest of the interface
// headers, and a module of another build is refused before anything of it is called.
#pragma once

#include "backend/jit/lane_wishes.h"
#include "backend/kernels/kernel.h"

#include <memory>
#include <string>
#include <variant>

namespace wave::jit {

struct Plugin {
  const char* abi;
  std::unique_ptr<backend::kernels::Kernels> (*make_kernels)(const backend::EngineOptions& options);
  // Index 0: the LLVM IR of an excerpt, before and after the passes. Index 1: why there is none.
  std::variant<std::string, std::string> (*dump)(const backend::kernels::Excerpt& excerpt,
                                                 const backend::EngineOptions& options);
  // The same of a batch; index 1 where nothing of it is in lanes, too.
  std::variant<std::string, std::string> (*dump_batch)(const ir::System& system,
                                                       const std::vector<ir::DefinitionId>& parameters,
                                                       const std::vector<backend::Wanted>& wanted,
                                                       const backend::EngineOptions& options);
  // Why no engine can be made with these options (no such processor, or not this one); empty: one can.
  std::string (*trouble)(const backend::EngineOptions& options);
  // Keeps windows of one or two slices wherever the reads allow it, for small recurrences too; for tests.
  void (*force_windows)(bool force);
  // Shapes of lanes that would not be chosen; for tests.
  void (*wish_lanes)(const LaneWishes& wishes);
};

// The module's one visible symbol: `extern "C" const wave::jit::Plugin* wave_jit_plugin()`.
inline constexpr const char* plugin_symbol = "wave_jit_plugin";

}  // namespace wave::jit
