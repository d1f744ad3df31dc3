// See reduced_run.h.
#include "analysis/study/reduce/reduced_run.h"

#include "base/clock.h"

#include <algorithm>
#include <chrono>

namespace wave::analysis {
namespace {

using Clock = std::chrono::steady_clock;

// States are kept this often, and so that writing them takes a small share of the time.
constexpr double between_states = 2, states_share = 0.02;

}  // namespace

RunEnd reduce_here(ChunkComputer& computer, ReducedStudy& reduced, const PointSet& points, const StateKeeper& keep,
                   const std::function<void(std::uint64_t points)>& progress) {
  ChunkSizes sizes;
  PointSet open = points.without(reduced.done());
  std::uint64_t done = 0;
  const auto tell = [&](std::uint64_t more) {
    if (progress) progress(done + more);
  };
  double wait = between_states;
  auto kept = Clock::now();
  while (!open.empty() && reduced.trouble().empty()) {
    const auto begin = Clock::now();
    const PointRange range = open.take(sizes.next());
    const auto chunk = computer.find(range, tell);
    if (!chunk) return {true, keep ? keep(reduced.encode()) : std::string()};
    reduced.take(*chunk);
    done += range.size();
    tell(0);
    sizes.took(range.size(), seconds_since(begin));
    if (!keep || seconds_since(kept) < wait) continue;
    const auto writing = Clock::now();
    if (std::string trouble = keep(reduced.encode()); !trouble.empty()) return {false, std::move(trouble)};
    wait = std::max(between_states, seconds_since(writing) / states_share);
    kept = Clock::now();
  }
  return {false, keep ? keep(reduced.encode()) : std::string()};
}

}  // namespace wave::analysis
