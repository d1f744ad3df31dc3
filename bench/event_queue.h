// The eager process of process_peers.h in an event-queue simulator, as you would write it in C++ for this process only:
// a binary heap of small events, state in arrays, and consecutive delays of a process joined into one event.
#pragma once

#include "bench/process_peers.h"

namespace wave::bench {

struct Simulated {
  double finish = 0;  // when the last process finishes
  double events = 0;
};

Simulated simulate_eager(long n, long m, long tiles, const Costs& costs);

// The same from all four corners at once: every process takes its blocks by their distance from the corner plus tile.
Simulated simulate_all_corners(long n, long m, long tiles, const Costs& costs);

}  // namespace wave::bench
