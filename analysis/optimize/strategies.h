// The methods to find the best, each in a file of its own. They report what they find to the oracle.
#pragma once

#include "analysis/optimize/oracle.h"

namespace wave::analysis {

// Every point, in the order of the product. True: it came to the end.
bool evaluate_all(Oracle& oracle);

// Branch and bound. `known` may be better than what the oracle has found so far: nothing worse is looked for.
struct BoundedEnd {
  bool complete = false;
  bool within_tolerance = false;  // something was left out that may be better: within the tolerance, or too narrow
  double lower = 0;  // of what was left undone, with one goal; infinite: nothing can be better than what was found
};
BoundedEnd branch_and_bound(Oracle& oracle, const Best& known);

// Descent along the variables from many starts, until nothing better has been found for long.
void search_locally(Oracle& oracle);

// Intervals: the best of them by NLopt, with the other variables as they are in `at`. Weights of the goals.
void search_intervals(Oracle& oracle, std::span<const double> at, const std::vector<double>& weights);
// Whether that can be done for each choice of the other variables.
bool can_search_each(Oracle& oracle);
void search_each(Oracle& oracle);

}  // namespace wave::analysis
