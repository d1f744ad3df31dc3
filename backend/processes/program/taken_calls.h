// What each `waitany` and each list of tasks of a program has gone on with. Clocks decide that, so the last evaluation
// notes it, and whatever goes through a program without clocks afterwards reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wave::backend::processes {

// By process, row-major, in the order in which they were taken: of a `waitany` the number of the operation's call among
// all messages that the process calls; of a list the number of the task in it, and, where that waits for several, which
// of these ended last; both from 0. Empty: nothing is chosen, or nothing has been evaluated.
using TakenCalls = std::vector<std::vector<std::uint32_t>>;

}  // namespace wave::backend::processes
