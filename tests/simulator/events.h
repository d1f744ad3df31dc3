// Runs written-out programs against each other by a queue of events.
#pragma once

#include "tests/simulator/program.h"
#include "tests/simulator/simulator.h"

namespace wave::simulator {

// Fails with `deadlock` where processes wait for each other.
Result run(const Programs& programs);

}  // namespace wave::simulator
