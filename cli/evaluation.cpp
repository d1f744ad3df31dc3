// See evaluation.h.
#include "cli/evaluation.h"

#include "analysis/evaluate_outputs.h"
#include "backend/engine_choice.h"
#include "backend/interpreter/inspection.h"
#include "base/environment.h"
#include "base/text.h"
#include "cli/limits.h"
#include "cli/progress.h"

#include <fmt/format.h>

#include <set>

namespace wave::cli {
namespace {

// If a setting stands in the way, it adds which one.
void add_help(const EngineSettings& settings, frontend::Diagnostic& diagnostic) {
  if (settings.no_shortcuts) diagnostic.help.push_back("without `--no-shortcuts` a proof may give the values at once");
  if (settings.choice == EngineChoice::interpreter)
    diagnostic.help.push_back("without `--engine interpreter` it is compiled, which is faster and keeps less");
}

}  // namespace

Results evaluate_outputs(Session& session, const EngineSettings& settings, const frontend::Lowered& lowered,
                         backend::Engine& engine, bool verbose) {
  Results results;
  results.file = session.name();
  EvaluationWatch watch(session.console(), verbose);
  backend::Limits limits = engine_limits(session.options());
  limits.observer = &watch;
  const auto evaluation = engine.start({}, limits);
  const auto help = [&settings](frontend::Diagnostic& diagnostic) { add_help(settings, diagnostic); };
  for (const auto& info : lowered.outputs) {
    const auto output = analysis::evaluate_output(lowered, info, *evaluation, session.diagnostics(), help);
    results.outputs.push_back(output.is_whole() ? table_of(info, output.rows, lowered.words)
                                                : failed_table(info, output.failed));
    results.has_breakdowns |= info.is_breakdown && results.outputs.back().is_whole();
  }
  for (const auto& info : lowered.parameters) {
    ParameterResult& result = results.parameters.emplace_back();
    result = {info.path, info.source, info.doc, info.given, std::nullopt};
    if (const auto value = analysis::evaluate_parameter(info, *evaluation))
      result.value = column_of({info.path, info.type, std::nullopt}, *value, lowered.words);
  }
  results.reports = evaluation->reports();
  results.verbose = verbose;
  results.code = code_text(engine);
  results.engine = engine.name();  // only now is it known whether something was compiled
  return results;
}

namespace {

backend::EngineKind kind_of(EngineChoice choice) {
  switch (choice) {
    case EngineChoice::interpreter: return backend::EngineKind::interpreter;
    case EngineChoice::jit: return backend::EngineKind::jit;
    case EngineChoice::automatic: break;
  }
  return backend::EngineKind::automatic;
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
  if (!settings.no_cache) options.cache_folder = cache_folder_of_environment();
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

void warn_of_what_is_not_compiled(Session& session, const EngineSettings& settings,
                                  const std::vector<backend::EventReport>& reports) {
  if (settings.choice != EngineChoice::jit) return;
  std::set<std::string> told;
  for (const auto& report : reports) {
    if (report.not_compiled.empty() || !told.insert(report.event).second) continue;
    auto& d = session.diagnostics().add(frontend::DiagnosticKind::not_compiled, {},
                                        fmt::format("`{}` was evaluated without compiling it", report.event), {},
                                        frontend::Severity::warning);
    d.notes.push_back(report.not_compiled);
  }
}

void warn_of_fractional_sizes(Session& session, const frontend::Lowered& lowered,
                              const std::vector<backend::EventReport>& reports) {
  const ir::System& system = lowered.system;
  std::set<std::string> seen;
  for (const auto& report : reports) {
    if (!report.has_fractional_sizes || !seen.insert(report.event).second) continue;
    std::vector<backend::processes::FractionalSize> sizes;
    const auto find = [&](backend::processes::Run& run) { sizes = run.fractional_sizes(); };
    for (std::uint32_t i = 0; i < system.processes.size(); ++i) {
      const ir::Process& process = system.processes[i];
      if (process.name != report.event || process.frame != ir::System::root_frame) continue;
      // What fails here has been said with the outputs.
      static_cast<void>(backend::inspect_process(system, {}, engine_limits(session.options()), ir::ProcessId{i}, find));
    }
    for (const auto& one : sizes) {
      auto& d = session.diagnostics().add(
          frontend::DiagnosticKind::fractional_size, one.location,
          fmt::format("a message has {} B, which is no whole number of bytes", frontend::format_number(one.size, 6)),
          fmt::format("first at process ({}) of `{}`", join_texts(one.at, ", "), report.event),
          frontend::Severity::warning);
      d.help.push_back("`ceil(size / 1 B) * 1 B` is the next whole number");
    }
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
  if (text.empty() && engine.name() == std::string_view("jit")) add("nothing compiled");
  if (!counts.cache_trouble.empty()) add(fmt::format("no cache: {}", counts.cache_trouble));
  return text;
}

}  // namespace wave::cli
