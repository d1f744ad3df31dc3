// The module's one visible symbol.
#include "backend/jit/plugin.h"

#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/jit/batch.h"
#include "backend/jit/compiler.h"
#include "backend/jit/group.h"
#include "backend/jit/kernels.h"
#include "backend/jit/lanes/strip_code.h"
#include "backend/jit/structure.h"
#include "backend/jit/translator.h"
#include "base/big_stack.h"
#include "base/text.h"
#include "ir/passes.h"

#include <fmt/format.h>

namespace wave::jit {

namespace {

std::variant<std::string, std::string> dump_excerpt(const backend::kernels::Excerpt& excerpt,
                                                    const backend::EngineOptions& options) {
  std::variant<std::string, std::string> result;
  run_on_big_stack([&](std::size_t) {
    const ir::System optimized = in_order_of_use(ir::run_passes(excerpt.system));
    result = dump(Layout(optimized), options.cpu, nullptr);
  });
  return result;
}

std::variant<std::string, std::string> dump_batch(const ir::System& system,
                                                  const std::vector<ir::DefinitionId>& parameters,
                                                  const std::vector<backend::Wanted>& wanted,
                                                  const backend::EngineOptions& options) {
  using Dump = std::variant<std::string, std::string>;
  const BatchPlan plan = plan_batch(system, options, parameters, wanted);
  if (plan.shape.outputs.empty()) {
    return Dump(std::in_place_index<1>,
                fmt::format("nothing of this batch is in lanes: {}", join_texts(plan.obstacles, ", ")));
  }
  Dump result;
  run_on_big_stack([&](std::size_t) { result = dump(Layout(plan.system), options.cpu, &plan.shape); });
  return result;
}

// The host is always there.
std::string trouble(const backend::EngineOptions& options) {
  return options.cpu.empty() ? std::string() : CodeSource(Processor{options.cpu}, options.cache_folder).trouble();
}

constexpr Plugin plugin{WAVE_JIT_ABI, make_kernels, dump_excerpt, dump_batch, trouble, force_windows, wish_lanes};

}  // namespace

}  // namespace wave::jit

extern "C" __attribute__((visibility("default"))) const wave::jit::Plugin* wave_jit_plugin() {
  return &wave::jit::plugin;
}
