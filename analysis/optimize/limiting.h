// Tells what keeps a point from being better: constraints that a better neighbour breaks, and ends of lists.
#pragma once

#include "analysis/optimize/best.h"
#include "analysis/optimize/problem.h"

#include <cstdint>
#include <vector>

namespace wave::analysis {

struct LimitedBy {
  std::uint64_t constraints = 0;  // a neighbour is better, but breaks them
  struct End {
    std::size_t variable = 0;
    bool upper = false;
  };
  std::vector<End> ends;              // goals get better towards it
  bool has_better_neighbour = false;  // one that satisfies everything: this is not a local optimum
};

// A neighbour differs in one variable, by the next larger or smaller value; of an interval by a thousandth of it. Costs
// what evaluating two neighbours for each variable does.
LimitedBy find_limits(Problem& problem, const Candidate& candidate);

}  // namespace wave::analysis
