// Follows a critical path back through what a run of programs has recorded (recording.h): always to what was the later.
// Only the programs of those processes are listed that the path touches.
#pragma once

#include "backend/processes/engine/recording.h"
#include "backend/processes/path/critical.h"
#include "backend/processes/path/critical_plan.h"
#include "backend/processes/path/listing.h"

#include <functional>

namespace wave::backend::processes::engine {

struct RecordedRun {
  const Recording& recording;
  // Where resources serve by time; null: nothing asks for any.
  const ServedResources* resources = nullptr;
  // What a call of this process that nothing waits for chose in the background; null: nothing.
  std::function<const Choices*(std::int64_t rank, const Listing& listing, std::uint32_t call)> choices_in_background;
};

// The path to `target` of this rank, which finishes at `finish`; without `last_finish`. Where the record does not lead
// to the beginning, the sum of the path is not the time that is asked for.
CriticalPath follow_back(const ProgramInput& input, const RecordedRun& run, std::int64_t rank, double finish,
                         const PathTarget& target, bool in_detail);

}  // namespace wave::backend::processes::engine
