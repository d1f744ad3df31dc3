// See plus_runs.h.
#include "backend/processes/bulk/plus_runs.h"

#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

// Sums are exact, so what is added where a run begins can be taken away where it ends.
std::optional<PlusRuns> PlusRuns::of(std::span<const Term> terms, std::int32_t processes) {
  struct Change {
    std::int32_t at;
    double plus;
  };
  const std::size_t most = few_runs + static_cast<std::size_t>(processes) / least_processes_of_plus;
  std::vector<Change> changes;
  for (const Term& term : terms) {
    std::int32_t end = -1;  // of the processes that have a peer up to now
    term.peers->for_each_run(0, processes, [&](const PeerMap::Run& run) {
      if (changes.size() > 2 * most) return;
      if (run.first == end)
        changes.back().at = run.end();
      else
        changes.insert(changes.end(), {{run.first, term.plus}, {run.end(), -term.plus}});
      end = run.end();
    });
  }
  if (changes.size() > 2 * most) return std::nullopt;
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  PlusRuns result;
  double plus = 0;
  for (const Change& change : changes) {
    const std::int32_t begin = result.runs_.empty() ? 0 : result.runs_.back().end;
    if (change.at > begin) result.runs_.push_back({change.at, plus});
    plus += change.plus;
  }
  if (result.runs_.empty() || result.runs_.back().end < processes) result.runs_.push_back({processes, plus});
  std::size_t run = 0;
  for (std::int32_t process = 0; process < processes; process += PeerMap::unit) {
    while (result.runs_[run].end <= process) ++run;
    result.first_run_.push_back(static_cast<std::int32_t>(run));
  }
  return result;
}

}  // namespace wave::backend::processes
