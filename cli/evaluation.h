// From a lowered program to results: chooses an engine, and evaluates the outputs one by one.
#pragma once

#include "cli/options.h"
#include "cli/results.h"
#include "cli/session.h"

#include <functional>
#include <memory>

namespace wave::cli {

// The engine options that `--threads`, `--cpu`, `--no-shortcuts` and `--no-cache` ask for.
backend::EngineOptions engine_options(const EngineSettings& settings);

// The engine that was asked for. If it is missing, null and an error is reported.
std::unique_ptr<backend::Engine> open_engine(Session& session, const EngineSettings& settings,
                                             const ir::System& system);
// For code that opens an engine for each of several systems. `session` must outlive it.
std::function<std::unique_ptr<backend::Engine>(const ir::System&)> engine_maker(Session& session,
                                                                                const EngineSettings& settings);

// Of messages with a fraction of a byte.
void warn_of_fractional_sizes(Session& session, const frontend::Lowered& lowered,
                              const std::vector<backend::EventReport>& reports);
// Warns about recurrences that `--engine jit` evaluated without compiling them. An automatic engine is free to choose.
void warn_of_what_is_not_compiled(Session& session, const EngineSettings& settings,
                                  const std::vector<backend::EventReport>& reports);

// The code that the JIT makes for a system or a batch. If there is no JIT, nothing and an error is reported.
std::optional<std::string> dump_llvm(Session& session, const EngineSettings& settings, const ir::System& system);
std::optional<std::string> dump_batch_llvm(Session& session, const EngineSettings& settings, const ir::System& system,
                                           const std::vector<ir::DefinitionId>& parameters,
                                           const std::vector<const frontend::OutputInfo*>& outputs);

// "2 compiled, 3 from the cache"; empty if no code was asked for.
std::string code_text(const backend::Engine& engine);

// Evaluates every output and scalar parameter of `lowered`. A failure is a diagnostic in the session and a result that
// says so; the other outputs are evaluated all the same. `settings` are those that the engine was opened with. A long
// evaluation says how long it will take, with `verbose` even if nobody looks.
Results evaluate_outputs(Session& session, const EngineSettings& settings, const frontend::Lowered& lowered,
                         backend::Engine& engine, bool verbose = false);

}  // namespace wave::cli
