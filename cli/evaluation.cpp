// See evaluation.h.
#include "cli/evaluation.h"

#include "backend/engine_choice.h"
#include "cli/limits.h"
#include "cli/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <set>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Diagnostics;

// The code of the last diagnostic.
std::string last_code(const Diagnostics& diagnostics) {
  return diagnostics.all().empty() ? "" : std::string(code_of(diagnostics.all().back().kind));
}

// The place of a row in a series or list: " at `q` = 3", or its number.
std::string row_name(const frontend::OutputInfo& info, const backend::Rows& rows, std::size_t row) {
  if (is_one_row(info.shape)) return "";
  if (info.shape != frontend::RowsShape::series) return fmt::format(" in row {}", row + 1);
  std::string name;
  for (std::size_t i = 0; i + 1 < info.columns.size(); ++i) {
    const auto index = rows.cells[row * rows.columns + i];
    if (index.type != ir::ScalarType::integer) continue;
    name += fmt::format("{}{} = {}", name.empty() ? " at " : ", ", info.columns[i].name, index.integer);
  }
  return name;
}

// Reports an output that is not a number as an error, once, with the first place where that happens, and returns false.
bool check_finite(const frontend::OutputInfo& info, const backend::Rows& rows, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < rows.cells.size(); ++i) {
    const auto& cell = rows.cells[i];
    if (cell.type != ir::ScalarType::real || std::isfinite(cell.real)) continue;
    const char* what = std::isnan(cell.real) ? "not a number" : "infinite";
    auto& d =
        diagnostics.add(DiagnosticKind::output_not_finite, info.location,
                        fmt::format("output `{}` is {}{}", info.name, what, row_name(info, rows, i / rows.columns)),
                        std::isnan(cell.real) ? "this is NaN" : "this is too large for a number");
    d.help.push_back(
        "look for a difference or a quotient of very large values, or an overflow, in what it is computed from");
    return false;
  }
  return true;
}

// Reports a failure. If a setting stands in the way, it adds which one.
void report_failure(Session& session, const EngineSettings& settings, const frontend::Lowered& lowered,
                    const ir::Failure& failure) {
  Diagnostics single;
  report(lowered.system, lowered.words, lowered.notes, failure, single);
  for (auto diagnostic : single.all()) {
    const bool is_limit =
        diagnostic.kind == DiagnosticKind::out_of_time || diagnostic.kind == DiagnosticKind::out_of_memory;
    if (is_limit && settings.no_shortcuts) {
      diagnostic.help.push_back("without `--no-shortcuts` a proof may give the values at once");
    }
    if (is_limit && settings.choice == EngineChoice::interpreter) {
      diagnostic.help.push_back("without `--engine interpreter` it is compiled, which is faster and keeps less");
    }
    session.diagnostics().add(diagnostic.kind, {}, "") = std::move(diagnostic);
  }
}

OutputTable evaluate_output(Session& session, const EngineSettings& settings, const frontend::Lowered& lowered,
                            const frontend::OutputInfo& info, backend::Evaluation& evaluation) {
  if (!info.root.valid()) return failed_table(info, info.failed ? std::string(code_of(*info.failed)) : "");
  const auto outcome = evaluation.evaluate(info.root);
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    report_failure(session, settings, lowered, *failure);
    return failed_table(info, last_code(session.diagnostics()));
  }
  const auto& rows = std::get<backend::Rows>(outcome);
  if (!check_finite(info, rows, session.diagnostics()))
    return failed_table(info, std::string(code_of(DiagnosticKind::output_not_finite)));
  return table_of(info, rows, lowered.words);
}

// A parameter that fails makes everything that reads it fail, and is reported there.
ParameterResult evaluate_parameter(const frontend::ParameterInfo& info, const std::vector<std::string>& words,
                                   backend::Evaluation& evaluation) {
  ParameterResult result{&info, std::nullopt};
  if (!info.definition.valid()) return result;
  const auto outcome = evaluation.evaluate(info.definition);
  const auto* rows = std::get_if<backend::Rows>(&outcome);
  if (rows != nullptr && !rows->cells.empty())
    result.value = column_of({info.path, info.type, std::nullopt}, rows->cells.front(), words);
  return result;
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
  for (const auto& info : lowered.outputs) {
    results.outputs.push_back(evaluate_output(session, settings, lowered, info, *evaluation));
    results.has_breakdowns |= info.is_breakdown && results.outputs.back().is_whole();
  }
  for (const auto& info : lowered.parameters)
    results.parameters.push_back(evaluate_parameter(info, lowered.words, *evaluation));
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

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The folder of compiled code: $WAVE_CACHE, or the place that the XDG base directory specification names. Empty if
// there is no such place.
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
