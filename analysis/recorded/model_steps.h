// What the processes of a model do, call by call. No time is looked at, so messages need not even meet.
#pragma once

#include "analysis/recorded/steps.h"
#include "backend/limits.h"
#include "backend/processes/run.h"
#include "ir/system.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::recorded {

struct TooManySteps {};

// What a process of a lowered model does, on all ranks.
struct ModelCalls {
  std::vector<Steps> steps;           // in row-major order of the grid
  std::vector<std::int64_t> extents;  // of the grid
};
// Throws TooManySteps. `phase` as below.
std::optional<ir::Failure> calls_of(const ir::System& system, const backend::Limits& limits, ir::ProcessId process,
                                    ir::PhaseId phase, std::size_t most_bytes, ModelCalls& calls);

// Of all processes, in row-major order. `phase`: only what happens inside it; not valid: everything. Messages that
// algorithms of collectives are made of are left out: the call is a step. Throws Failed, and TooManySteps where they
// take more than `most_bytes`.
std::vector<Steps> steps_of(backend::processes::Run& run, ir::PhaseId phase, std::size_t most_bytes);

}  // namespace wave::analysis::recorded
