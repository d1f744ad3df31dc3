// Ranks that compute in simulated time, some of which die. It shows how a scheduler divides a study, without threads
// and clocks.
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
  double end = 0;                // when the last point was finished
  std::vector<PointRange> done;  // in the order in which they came
  std::uint64_t chunks = 0;
  std::uint64_t most_points_held = 0;  // by all ranks together
  std::uint64_t points_lost = 0;       // those that ranks held when they died
  std::vector<double> busy;            // of each rank
};

// `cost` is that of a point, in seconds; `notice` is what a chunk costs in addition to its points. A rank leaves a
// chunk unfinished at the first point after four times `chunks.seconds`. At least one rank survives.
Simulated simulate(const std::vector<PointRange>& open, int ranks, const std::function<double(std::uint64_t)>& cost,
                   double notice, const std::vector<Death>& deaths = {}, ranks::Chunks chunks = {});

}  // namespace wave::test
