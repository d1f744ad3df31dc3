// What is added to the times of those processes that have certain peers, as runs of processes with the same sum.
#pragma once

#include "backend/processes/bulk/peer_map.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

class PlusRuns {
 public:
  struct Term {
    const PeerMap* peers = nullptr;  // kept in runs; where there is one
    double plus = 0;                 // ps, finite
  };
  struct Run {
    std::int32_t end = 0;
    double plus = 0;
  };
  // Refused where there are too many runs.
  static std::optional<PlusRuns> of(std::span<const Term> terms, std::int32_t processes);

  // The run that a process is in; those of the processes behind follow it.
  const Run* at(std::int32_t process) const {
    const Run* run = runs_.data() + first_run_[static_cast<std::size_t>(process / PeerMap::unit)];
    while (run->end <= process) ++run;
    return run;
  }
  std::size_t bytes() const { return runs_.size() * sizeof(Run) + first_run_.size() * sizeof(std::int32_t); }

 private:
  std::vector<Run> runs_;
  std::vector<std::int32_t> first_run_;  // by unit: that of its first process
};
using PlusRunsPtr = std::shared_ptr<const PlusRuns>;

}  // namespace wave::backend::processes
