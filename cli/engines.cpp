// Which engine evaluates. See evaluation.h.
#include "backend/engine_choice.h"
#include "cli/evaluation.h"

#include <fmt/format.h>

#include <cstdlib>

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

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Of compiled code: $WAVE_CACHE, or where the XDG base directory specification says. Empty: there is no such place.
std::string cache_folder() {
  if (const std::string own = variable("WAVE_CACHE"); !own.empty()) return own;
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty() && base.front() == '/') return base + "/wave";
  const std::string home = variable("HOME");
  return home.empty() || home.front() != '/' ? "" : home + "/.cache/wave";
}

void report_unavailable(Session& session, const EngineSettings& settings, const std::string& why) {
  auto& d = session.diagnostics().add(frontend::DiagnosticKind::engine_unavailable, {},
                                      settings.cpu.empty()
                                          ? "the JIT cannot be used"
                                          : fmt::format("the JIT cannot be used with `--cpu {}`", settings.cpu));
  d.notes.push_back(why);
  d.help.push_back("`--engine interpreter` gives the same results");
}

}  // namespace

backend::EngineOptions engine_options(const EngineSettings& settings) {
  backend::EngineOptions options;
  options.shortcuts = !settings.no_shortcuts;
  options.threads = settings.threads;
  options.cpu = settings.cpu;
  if (!settings.no_cache) options.cache_folder = cache_folder();
  return options;
}

std::unique_ptr<backend::Engine> open_engine(Session& session, const EngineSettings& settings,
                                             const ir::System& system) {
  auto made = backend::make_engine(kind_of(settings.choice), system, engine_options(settings));
  if (auto* engine = std::get_if<std::unique_ptr<backend::Engine>>(&made)) return std::move(*engine);
  report_unavailable(session, settings, std::get<std::string>(made));
  return nullptr;
}

std::function<std::unique_ptr<backend::Engine>(const ir::System&)> engine_maker(Session& session,
                                                                                const EngineSettings& settings) {
  return [&session, settings](const ir::System& system) { return open_engine(session, settings, system); };
}

void warn_of_fallbacks(Session& session, const EngineSettings& settings,
                       const std::vector<backend::Fallback>& fallbacks) {
  if (settings.choice != EngineChoice::jit) return;
  for (const auto& fallback : fallbacks) {
    auto& d = session.diagnostics().add(frontend::DiagnosticKind::not_compiled, {},
                                        fmt::format("`{}` was evaluated by the interpreter", fallback.what), {},
                                        frontend::Severity::warning);
    d.notes.push_back("the JIT left it: " + fallback.reason);
  }
}

std::optional<std::string> dump_llvm(Session& session, const EngineSettings& settings, const ir::System& system) {
  auto dumped = backend::dump_llvm(system, engine_options(settings));
  if (dumped.index() == 0) return std::get<0>(std::move(dumped));
  report_unavailable(session, settings, std::get<1>(dumped));
  return std::nullopt;
}

std::optional<std::string> dump_batch_llvm(Session& session, const EngineSettings& settings, const ir::System& system,
                                           const std::vector<ir::DefinitionId>& parameters,
                                           const std::vector<const frontend::OutputInfo*>& outputs) {
  std::vector<backend::Wanted> wanted;
  for (const auto* output : outputs) wanted.emplace_back(output->root);
  auto dumped = backend::dump_batch_llvm(system, parameters, wanted, engine_options(settings));
  if (dumped.index() == 0) return std::get<0>(std::move(dumped));
  const std::string& why = std::get<1>(dumped);
  if (why.rfind("nothing of this batch", 0) != 0) {
    report_unavailable(session, settings, why);
  } else {
    session.diagnostics()
        .add(frontend::DiagnosticKind::not_compiled, {},
             "the batch has no code of its own: its rows are evaluated one by one")
        .notes.push_back(why);
  }
  return std::nullopt;
}

std::string code_text(const backend::Engine& engine) {
  const backend::JitCounts counts = backend::jit_counts(engine);
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (counts.compilations > 0) add(fmt::format("{} compiled", counts.compilations));
  if (counts.found > 0) add(fmt::format("{} from the cache", counts.found));
  if (!counts.cache_trouble.empty()) add(fmt::format("no cache: {}", counts.cache_trouble));
  return text;
}

}  // namespace wave::cli
