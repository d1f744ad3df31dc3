// Random processes in their intermediate representation: sweeps of any body, exchanges, collectives, loops, phases.
#pragma once

#include "ir/builder.h"
#include "tests/random/choices.h"

#include <vector>

namespace wave::test {

struct RandomProcess {
  ir::System system;
  ir::ProcessId process;
  std::vector<std::int64_t> extents;
};

// `many` asks for sweeps of more tiles, and loops of more iterations.
RandomProcess random_process(std::uint64_t seed, bool many = false);

}  // namespace wave::test
