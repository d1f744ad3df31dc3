// What the processes of a model do, call by call. No time is looked at, so messages need not even meet.
#pragma once

#include "analysis/recorded/steps.h"
#include "backend/processes/run.h"
#include "ir/system.h"

#include <cstddef>
#include <string>
#include <vector>

namespace wave::analysis::recorded {

struct TooManySteps {};

// Of all processes, in row-major order. `phase`: only what happens inside it; not valid: everything. Messages that
// algorithms of collectives are made of are left out: the call is a step. Throws Failed, and TooManySteps where they
// take more than `most_bytes`.
std::vector<Steps> steps_of(backend::processes::Run& run, ir::PhaseId phase, std::size_t most_bytes);

}  // namespace wave::analysis::recorded
