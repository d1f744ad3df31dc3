// `wave sweep --reduce`: points are evaluated and not kept, as often as the reductions have to see them.
#pragma once

#include "analysis/study/journal.h"
#include "analysis/study/reduce/reduced_run.h"
#include "cli/console.h"
#include "cli/progress.h"

#include <memory>
#include <string>

namespace wave::cli {

struct ReducedSweep {
  Console& console;
  const analysis::StudyDescription& study;
  analysis::Shard shard;
  analysis::PointLimits limits;
  std::string after;  // the file with the first pass over all points; empty: none
  bool keeps_journal = false;
  analysis::ChunkComputer& computer;
  analysis::Journal& journal;
};

enum class ReducedEnd { done, stopped, failed };

// Goes on from what the journal holds. A part makes one pass. What went wrong is reported.
ReducedEnd evaluate_reduced(const ReducedSweep& sweep, std::unique_ptr<analysis::ReducedStudy>& reduced);

}  // namespace wave::cli
