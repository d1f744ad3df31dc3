// Takes a source text all the way: what can be lowered keeps the rules of systems, and every engine finds the same
// bits.
#include "backend/kernels/choice.h"
#include "backend/limits.h"
#include "frontend/lower/lower.h"
#include "ir/verify.h"
#include "tests/fuzz/promise.h"
#include "tests/parity/compare.h"

using namespace wave;
using backend::EngineKind;
using fuzz::promise;

namespace {

// Whatever a text asks for, it is over soon. An engine that gives up proves nothing for the other.
backend::Limits short_limits() {
  backend::Limits limits;
  limits.memory_bytes = std::size_t{16} << 20;
  backend::set_time_limit(limits, 0.1);
  return limits;
}

void compare_engines(const ir::System& system, const std::string& what) {
  for (const std::string& broken : ir::verify(system)) promise(false, what + ": " + broken);
  if (system.roots.empty()) return;
  const auto interpreter = parity::engine(EngineKind::interpreter, system);
  const auto compare = [&](EngineKind kind, const backend::EngineOptions& options, const char* with) {
    const auto other = parity::engine(kind, system, options);
    const auto found = parity::compare(system, *interpreter, *other, {}, short_limits());
    promise(found.difference.empty(), what + ", " + with + ": " + found.difference);
  };
  backend::EngineOptions shortcuts;
  shortcuts.shortcuts = true;
  compare(EngineKind::interpreter, shortcuts, "with shortcuts");
  compare(EngineKind::jit, {}, "with kernels");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  backend::kernels::decide_by([] { return true; });  // else nothing so small is compiled
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load("<fuzz>", {}, diagnostics, &text);
  if (diagnostics.has_errors()) return 0;
  for (const auto& item : program->main().items) {
    if (!std::holds_alternative<frontend::item::Model>(item->node)) continue;
    frontend::Diagnostics own;
    frontend::LoweringOptions options;
    options.processes = true;
    const auto lowered = frontend::lower_model(*program, *item, {}, own, options);
    if (!own.has_errors()) compare_engines(lowered.system, "model " + item->name.text);
  }
  frontend::Diagnostics own;
  const auto tests = frontend::lower_tests(*program, own);
  if (!own.has_errors()) compare_engines(tests.system, "tests");
  return 0;
}
