// Finds where conditions hold. It looks at every point in the order of the product, and skips boxes in which, by their
// bounds, the conditions hold nowhere.
#pragma once

#include "analysis/optimize/optimize.h"

#include <utility>
#include <vector>

namespace wave::analysis {

struct ScanOptions {
  bool first = false;          // stop at the first point
  std::size_t most_kept = 20;  // of the points at which they hold
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SearchProgress&)> progress;
};

struct ScanOutcome {
  std::uint64_t holding = 0;
  std::vector<std::vector<double>> points;  // the first of them, by coordinates
  std::vector<double> last;
  // Of a single list: runs of places next to each other, first and last; of an interval their ends.
  std::vector<std::pair<double, double>> runs;
  bool has_more_runs = false;
  bool complete = false;  // every point was looked at, or is known to break a condition
  SearchOutcome search;   // its counts, why nothing was found, and what came nearest
};

// Of lists only.
ScanOutcome scan(Problem& problem, const ScanOptions& options);
// Of a single interval: `samples` evenly over it, and between two that differ the place where it changes, to the last
// bits. What lies between two samples that do not differ is not looked at.
ScanOutcome scan_interval(Problem& problem, const ScanOptions& options, std::size_t samples);

}  // namespace wave::analysis
