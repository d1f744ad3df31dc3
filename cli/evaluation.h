// From a lowered program to results: an engine is chosen, outputs are asked for one by one.
#pragma once

#include "cli/options.h"
#include "cli/results.h"
#include "cli/session.h"

#include <functional>
#include <memory>

namespace wave::cli {

// What engines are told of `--threads`, `--cpu`, `--no-shortcuts` and `--no-cache`.
backend::EngineOptions engine_options(const EngineSettings& settings);

// The engine that was asked for. Null, reported, where it is not there.
std::unique_ptr<backend::Engine> open_engine(Session& session, const EngineSettings& settings,
                                             const ir::System& system);
// For what opens an engine for each of several systems. `session` outlives it.
std::function<std::unique_ptr<backend::Engine>(const ir::System&)> engine_maker(Session& session,
                                                                                const EngineSettings& settings);

// Warns of what `--engine jit` has evaluated with the interpreter. An automatic engine is free to choose.
void warn_of_fallbacks(Session& session, const EngineSettings& settings,
                       const std::vector<backend::Fallback>& fallbacks);

// The code that the JIT makes of a system, or of a batch. Nothing, reported, where it is not there.
std::optional<std::string> dump_llvm(Session& session, const EngineSettings& settings, const ir::System& system);
std::optional<std::string> dump_batch_llvm(Session& session, const EngineSettings& settings, const ir::System& system,
                                           const std::vector<ir::DefinitionId>& parameters,
                                           const std::vector<const frontend::OutputInfo*>& outputs);

// "2 compiled, 3 from the cache"; empty where no code was asked for.
std::string code_text(const backend::Engine& engine);

// Every output and scalar parameter of `lowered`. What fails is a diagnostic in the session and a result that says
// so; it does not keep the other outputs from being evaluated.
// `settings` are what the engine was opened with. What takes long says how long, with `verbose` also where nobody
// looks.
Results evaluate_outputs(Session& session, const EngineSettings& settings, const frontend::Lowered& lowered,
                         backend::Engine& engine, bool verbose = false);

}  // namespace wave::cli
