// A process as a GOAL schedule, the text format of the LogGOPSim simulator: what every rank sends, receives and
// computes, and what has to be over before. No time of a message is in it: those are the simulator's.
#pragma once

#include "backend/processes/run.h"

#include <string>

namespace wave::cli {

struct GoalSchedule {
  std::string text;
  const ir::Collective* without_messages = nullptr;  // a collective that is a cost cannot be written
  std::size_t without_bytes = 0;                     // messages that are written with one byte all the same
};

struct TooLong {};

// Throws TooLong where it would have more than `most_bytes`, and Failed.
GoalSchedule goal_schedule(backend::processes::Run& run, std::size_t most_bytes);

}  // namespace wave::cli
