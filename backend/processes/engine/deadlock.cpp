// See deadlock.h.
#include "backend/processes/engine/deadlock.h"

#include "backend/processes/engine/names.h"
#include "backend/processes/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace wave::backend::processes::engine {

namespace {

using Stopped = std::function<StoppedAt(Number)>;

// From the first process that waits, along what each waits for, until one comes again; the cycle begins with its
// first process. Where one waits for a process that has finished, all up to there.
std::vector<Number> find_cycle(const ProgramInput& input, const Stopped& stopped) {
  const auto count = static_cast<Number>(input.places.count());
  Number start = 0;
  while (start < count && !stopped(start).statement) ++start;
  std::vector<Number> path;
  std::vector<Number> seen(count, none);
  for (Number process = start; process < count;) {
    const StoppedAt at = stopped(process);
    if (!at.statement) break;
    if (seen[process] != none) {
      path.erase(path.begin(), path.begin() + seen[process]);
      std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
      break;
    }
    seen[process] = static_cast<Number>(path.size());
    path.push_back(process);
    process = at.other;
  }
  return path;
}

}  // namespace

ir::Failure explain_deadlock(const ProgramInput& input, const Stopped& stopped) {
  const std::vector<Number> cycle = find_cycle(input, stopped);
  if (cycle.empty()) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::deadlock;
    failure.location = input.process.location;
    return failure;
  }
  const ir::Statement* const first = stopped(cycle.front()).statement;
  ir::Failure failure = failure_at(input, ir::FailureKind::deadlock, cycle.front(), *first);
  // At a send that waits for its receiver, else at a receive, else at a wait: what there is to be changed.
  std::int64_t waiting_at = ir::deadlock_at_wait;
  for (const Number process : cycle) waiting_at = std::min(waiting_at, stopped(process).where);
  failure.values = {ir::Scalar::of(waiting_at)};
  std::set<const ir::Statement*> shown;
  for (const Number process : cycle) {
    const StoppedAt at = stopped(process);
    if (at.other == none || !shown.insert(at.statement).second || shown.size() > most_deadlock_labels) continue;
    const std::string kept_by = at.other == process ? "itself" : name_of(input, at.other);
    std::string text = fmt::format("{} waits here for {}", name_of(input, process), kept_by);
    if (at.is_at_window) text += ", to receive earlier messages (the protocol has a `window`)";
    const auto same = std::ranges::count_if(cycle, [&](Number p) { return stopped(p).statement == at.statement; });
    if (same > 1) text += fmt::format(", and {} more likewise", same - 1);
    if (at.statement == first)
      failure.detail = std::move(text);
    else
      failure.labels.emplace_back(at.statement->location, std::move(text));
  }
  return failure;
}

}  // namespace wave::backend::processes::engine
