// What `wave trace` writes: a timeline for people, and a schedule for a simulator.
#pragma once

#include "analysis/recorded/recording.h"
#include "backend/processes/path/timeline.h"
#include "backend/processes/run.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <string>

namespace wave::cli {

struct TooLong {};

// What a program did when: a recording of as many ranks as there are processes.
struct RecordedRun {
  std::string name;
  analysis::recorded::Recording recording;
};

// The timeline of the process's ranks for which `is_wanted`, in Chrome's trace-event format, which Perfetto also opens;
// and below it that of a recorded run, if there is one, with the time between calls and inside each. Throws TooLong if
// the text would have more than `most_bytes`.
std::string trace_events(const backend::processes::ProgramInput& input, const frontend::Sources& sources,
                         const frontend::ProcessInfo& process, const std::function<bool(std::int64_t rank)>& is_wanted,
                         const RecordedRun* recorded, std::size_t most_bytes);

// A process as a GOAL schedule, the text format of the simulator LogGOPSim: what every rank sends, receives and
// computes, and what must be finished before. It contains no times of messages, because those belong to the simulator.
struct GoalSchedule {
  std::string text;
  const ir::Collective* without_messages = nullptr;  // a collective that is a cost, so the schedule cannot be written
  std::size_t without_bytes = 0;                     // messages without bytes, which are written with one
};

// Throws TooLong if it would have more than `most_bytes`, and Failed.
GoalSchedule goal_schedule(backend::processes::Run& run, std::size_t most_bytes);

}  // namespace wave::cli
