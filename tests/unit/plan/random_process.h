// Random processes as their intermediate representation: sweeps of any body, exchanges, collectives, loops, phases.
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

// `many`: sweeps of more tiles, loops of more iterations.
RandomProcess random_process(std::uint64_t seed, bool many = false);

}  // namespace wave::test
