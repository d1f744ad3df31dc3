// Which engine evaluates. See evaluation.h.
#include "backend/engine_choice.h"
#include "cli/evaluation.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

backend::EngineKind kind_of(EngineChoice choice) {
  switch (choice) {
    case EngineChoice::interpreter: return backend::EngineKind::interpreter;
    case EngineChoice::jit: return backend::EngineKind::jit;
    case EngineChoice::automatic: break;
  }
  return backend::EngineKind::automatic;
}

void report_unavailable(Session& session, const std::string& why) {
  auto& d = session.diagnostics().add(frontend::DiagnosticKind::engine_unavailable, {}, "the JIT cannot be used");
  d.notes.push_back(why);
  d.help.push_back("`--engine interpreter` gives the same results");
}

}  // namespace

std::unique_ptr<backend::Engine> open_engine(Session& session, EngineChoice choice, const ir::System& system) {
  auto made = backend::make_engine(kind_of(choice), system);
  if (auto* engine = std::get_if<std::unique_ptr<backend::Engine>>(&made)) return std::move(*engine);
  report_unavailable(session, std::get<std::string>(made));
  return nullptr;
}

void warn_of_fallbacks(Session& session, EngineChoice choice, const std::vector<backend::Fallback>& fallbacks) {
  if (choice != EngineChoice::jit) return;
  for (const auto& fallback : fallbacks) {
    auto& d = session.diagnostics().add(frontend::DiagnosticKind::not_compiled, {},
                                        fmt::format("`{}` was evaluated by the interpreter", fallback.what), {},
                                        frontend::Severity::warning);
    d.notes.push_back("the JIT left it: " + fallback.reason);
  }
}

std::optional<std::string> dump_llvm(Session& session, const ir::System& system) {
  auto dumped = backend::dump_llvm(system);
  if (dumped.index() == 0) return std::get<0>(std::move(dumped));
  report_unavailable(session, std::get<1>(dumped));
  return std::nullopt;
}

}  // namespace wave::cli
