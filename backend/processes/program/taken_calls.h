// Which operation each `waitany` of a program has gone on with. Clocks decide that, so the last evaluation notes it,
// and whatever goes through a program without clocks afterwards reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wave::backend::processes {

// By process, row-major: the operations by the numbers of their calls among all messages that the process calls, in the
// order in which they were taken. Empty: there is no `waitany`, or nothing has been evaluated.
using TakenCalls = std::vector<std::vector<std::uint32_t>>;

}  // namespace wave::backend::processes
