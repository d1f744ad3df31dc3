// Evaluates a study that is reduced: points come in chunks, and none of them is kept.
#pragma once

#include "analysis/study/reduce/reduced_study.h"
#include "analysis/study/run.h"

#include <functional>
#include <string>
#include <string_view>

namespace wave::analysis {

// Takes a state now and then. What went wrong, or nothing.
using StateKeeper = std::function<std::string(std::string_view state)>;

// One pass over those of the points that it has not seen. Without a keeper, nothing is kept. `trouble` of the end is
// that of the keeper; what the reductions cannot keep shows in reduced.trouble().
RunEnd reduce_here(ChunkComputer& computer, ReducedStudy& reduced, const PointSet& points, const StateKeeper& keep,
                   const std::function<void(std::uint64_t points)>& progress = {});

}  // namespace wave::analysis
