// The data that a thread has for itself while it evaluates strips.
#pragma once

#include "backend/jit/lanes/strip_run.h"
#include "backend/jit/lanes/thresholds.h"
#include "backend/jit/runtime.h"

#include <chrono>

namespace wave::jit::lanes {

struct StripEvaluation::Worker {
  bool asks = false;  // whether there is time left
  std::int64_t block = 0, plane = 0, strip = 0;
  std::vector<Word> arguments;
  Words memory;
  Word* state = nullptr;
  std::vector<Word*> scratch;                // per event
  std::vector<Word*> stored;                 // per event, where a strip at a time is stored: its first slot
  std::int64_t most_steps = steps_at_first;  // evaluated at a time: as many as take some milliseconds
  std::int64_t steps_done = 0;               // of the block
  std::int64_t steps_unseen = 0;             // since it was `began`
  std::chrono::steady_clock::time_point began;
};

}  // namespace wave::jit::lanes
