// What `wave trace` writes: a timeline for people, and a schedule for a simulator.
#pragma once

#include "backend/processes/run.h"
#include "backend/processes/timeline.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <string>

namespace wave::cli {

struct TooLong {};

// In the trace-event format of Chrome, which Perfetto opens, too: the timeline of the process's ranks for which
// `is_wanted`. Throws TooLong where the text would have more than `most_bytes`.
std::string trace_events(const backend::processes::NetworkInput& input, const frontend::Sources& sources,
                         const frontend::Lowered& lowered, const frontend::ProcessInfo& process,
                         const std::function<bool(std::int64_t rank)>& is_wanted, std::size_t most_bytes);

// A process as a GOAL schedule, the text format of the LogGOPSim simulator: what every rank sends, receives and
// computes, and what has to be over before. No time of a message is in it: those are the simulator's.
struct GoalSchedule {
  std::string text;
  const ir::Collective* without_messages = nullptr;  // a collective that is a cost cannot be written
  std::size_t without_bytes = 0;                     // messages that are written with one byte all the same
};

// Throws TooLong where it would have more than `most_bytes`, and Failed.
GoalSchedule goal_schedule(backend::processes::Run& run, std::size_t most_bytes);

}  // namespace wave::cli
