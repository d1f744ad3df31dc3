// Ranks that compute in simulated time, some of which die: what a scheduler makes of a study, without threads and
// clocks.
#pragma once

#include "analysis/study/ranks/scheduler.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace wave::test {

struct Death {
  int rank = 0;
  double time = 0;
};

struct Simulated {
  double end = 0;                // when the last point was done
  std::vector<PointRange> done;  // in the order of their coming
  std::uint64_t chunks = 0;
  std::uint64_t most_points_held = 0;  // by all ranks at once
  std::uint64_t points_lost = 0;       // held by ranks when they died
  std::vector<double> busy;            // of each rank
};

// `cost` of a point in seconds; `notice`: what a chunk costs beside its points. A rank leaves a chunk unfinished after
// four times `chunks.seconds`, at the next point. At least one rank lives.
Simulated simulate(const std::vector<PointRange>& open, int ranks, const std::function<double(std::uint64_t)>& cost,
                   double notice, const std::vector<Death>& deaths = {}, ranks::Chunks chunks = {});

}  // namespace wave::test
