// Finds where conditions hold. Looks at every point in the order of the product, but skips boxes whose bounds say that
// the conditions hold nowhere in them.
#pragma once

#include "analysis/optimize/optimize.h"

#include <utility>
#include <vector>

namespace wave::analysis {

struct ScanOptions {
  bool first = false;          // stop at the first point
  std::size_t most_kept = 20;  // points at which they hold
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SearchProgress&)> progress;
};

struct ScanOutcome {
  std::uint64_t holding = 0;
  std::vector<std::vector<double>> points;  // the first of these, by coordinates
  std::vector<double> last;
  // For a single variable, the runs of neighbouring places at which they hold: the first and the last place, or the
  // ends in an interval.
  std::vector<std::pair<double, double>> runs;
  bool has_more_runs = false;
  bool complete = false;  // every point was looked at, or is known to break a condition
  SearchOutcome search;   // its counts, why nothing was found, and what came nearest
};

// For variables with lists.
ScanOutcome scan(Problem& problem, const ScanOptions& options);
// For a single interval. Looks at this many evenly spread samples, and finds to the last bits where the conditions
// change between two that differ. It does not look between two samples that agree.
ScanOutcome scan_interval(Problem& problem, const ScanOptions& options, std::size_t samples);

}  // namespace wave::analysis
