// How long what a recording has took.
#pragma once

#include "analysis/recorded/steps.h"
#include "frontend/source/sources.h"

#include <vector>

namespace wave::analysis::recorded {

// Of a step. Where calls are passed over, the times between them are times between steps, too.
struct Times {
  double since_ns = 0;   // since the call before
  double inside_ns = 0;  // of several steps of one call: at the first
  double cpu_ns = 0;     // of the processor, since the call before; 0: it is not known
};

// Of each step of a rank that was read from the text of a recording.
std::vector<Times> times_of(const frontend::Sources& sources, const Steps& steps);

}  // namespace wave::analysis::recorded
