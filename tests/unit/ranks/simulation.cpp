// See simulation.h.
#include "simulation.h"

#include <algorithm>
#include <limits>

namespace wave::test {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct Rank {
  double ready = never;  // when it finishes what it computes
  double dies = never;
  PointRange held, computes;
  double seconds = 0;
  bool dead = false;
};

}  // namespace

Simulated simulate(const std::vector<PointRange>& open, int ranks, const std::function<double(std::uint64_t)>& cost,
                   double notice, const std::vector<Death>& deaths, ranks::Chunks chunks) {
  ranks::Scheduler scheduler(open, ranks, chunks);
  Simulated result;
  result.busy.resize(static_cast<std::size_t>(ranks));
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  for (const Death& death : deaths) all[static_cast<std::size_t>(death.rank)].dies = death.time;
  double now = 0;
  const auto begin = [&](std::size_t i) {
    const auto range = scheduler.next(static_cast<int>(i));
    if (!range) return;
    Rank& rank = all[i];
    rank.held = rank.computes = *range;
    rank.seconds = 0;
    std::uint64_t at = range->begin;
    while (at < range->end && rank.seconds <= 4 * chunks.seconds) rank.seconds += cost(at++);
    rank.computes.end = at;
    rank.ready = now + rank.seconds + notice;
  };
  while (scheduler.left() > 0) {
    std::uint64_t held = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].dead && all[i].ready == never) begin(i);
      if (all[i].ready != never) held += all[i].held.size();
    }
    result.most_points_held = std::max(result.most_points_held, held);
    const auto next_of = [](const Rank& rank) { return std::min(rank.ready, rank.dead ? never : rank.dies); };
    const auto next =
        std::min_element(all.begin(), all.end(), [&](const Rank& a, const Rank& b) { return next_of(a) < next_of(b); });
    const int index = static_cast<int>(next - all.begin());
    now = next_of(*next);
    if (next->dies == now && !next->dead) {
      if (next->ready != never) result.points_lost += next->held.size();
      scheduler.lost(index);
      next->dead = true;
    } else {
      if (!scheduler.done(index, next->computes, next->seconds)) continue;
      result.done.push_back(next->computes);
      result.busy[static_cast<std::size_t>(index)] += next->seconds;
      ++result.chunks;
      result.end = now;
    }
    next->ready = never;
  }
  return result;
}

}  // namespace wave::test
