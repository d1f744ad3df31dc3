// Questions about a process that are no scalars: its critical path, its messages, its timeline.
#pragma once

#include "backend/engine.h"
#include "backend/interpreter/answered.h"
#include "backend/interpreter/engine.h"
#include "backend/processes/run.h"

#include <functional>
#include <optional>

namespace wave::backend {

// Calls `use` with a process of the root frame; what it throws as Failed comes back as a failure. Without a source
// there are no kernels.
std::optional<ir::Failure> inspect_process(const ir::System& system, const std::vector<Binding>& bindings,
                                           const Limits& limits, ir::ProcessId process,
                                           const std::function<void(processes::Run&)>& use,
                                           const KernelSource& source = {});

// Evaluates a definition of the root frame, and calls `listen` behind the answer to every measure that this comes to,
// also in functions and in what processes spend. What `listen` throws as Failed ends the evaluation.
std::optional<ir::Failure> listen_to_measures(const ir::System& system, const Limits& limits, ir::DefinitionId asked,
                                              const interpreter::AnswerListener& listen,
                                              const KernelSource& source = {});
// The same of rows.
std::optional<ir::Failure> listen_to_measures(const ir::System& system, const Limits& limits, ir::RootId asked,
                                              const interpreter::AnswerListener& listen);

}  // namespace wave::backend
