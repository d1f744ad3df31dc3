// A timeline in the trace-event format of Chrome, which Perfetto opens, too.
#pragma once

#include "backend/processes/timeline.h"
#include "cli/goal_schedule.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <string>

namespace wave::cli {

// The timeline of the process's ranks for which `is_wanted`. Throws TooLong where the text would have more than
// `most_bytes`.
std::string trace_events(const backend::processes::NetworkInput& input, const frontend::Sources& sources,
                         const frontend::Lowered& lowered, const frontend::ProcessInfo& process,
                         const std::function<bool(std::int64_t rank)>& is_wanted, std::size_t most_bytes);

}  // namespace wave::cli
