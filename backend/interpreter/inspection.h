// Questions about a process that are no scalars: its critical path, its messages, its timeline.
#pragma once

#include "backend/engine.h"
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

}  // namespace wave::backend
