// See limiting.h.
#include "analysis/optimize/limiting.h"

#include "analysis/optimize/infinity.h"

#include <cmath>
#include <optional>

namespace wave::analysis {
namespace {

constexpr double part_of_interval = 1e-3;

// The place of the next larger (or smaller) value; nothing: it is the last.
std::optional<double> next_place(const Domain& domain, double at, bool larger) {
  if (domain.is_interval) {
    const double step = part_of_interval * (domain.high - domain.low);
    const double to = larger ? std::min(at + step, domain.high) : std::max(at - step, domain.low);
    return to == at ? std::nullopt : std::optional(to);
  }
  const double value = domain.value(at);
  std::optional<double> best;
  for (std::uint64_t i = 0; i < domain.size(); ++i) {
    const double other = domain.value(static_cast<double>(i));
    const bool is_beyond = larger ? other > value : other < value;
    const bool is_nearer = !best || (larger ? other < domain.value(*best) : other > domain.value(*best));
    if (is_beyond && is_nearer) best = static_cast<double>(i);
  }
  return best;
}

bool is_better(std::span<const double> a, std::span<const double> b) {
  return a.size() == 1 ? a[0] < b[0] : dominates(a, b);
}

}  // namespace

LimitedBy find_limits(Problem& problem, const Candidate& candidate) {
  struct Neighbour {
    std::size_t variable;
    bool larger;
  };
  Points points(candidate.at.size());
  std::vector<Neighbour> neighbours;
  std::vector<Neighbour> missing;
  for (std::size_t i = 0; i < candidate.at.size(); ++i) {
    if (!problem.domains[i].is_number) continue;
    for (const bool larger : {false, true}) {
      const auto place = next_place(problem.domains[i], candidate.at[i], larger);
      if (!place) {
        missing.push_back({i, larger});
        continue;
      }
      auto at = candidate.at;
      at[i] = *place;
      points.add(at);
      neighbours.push_back({i, larger});
    }
  }
  LimitedBy result;
  if (points.empty()) return result;
  std::vector<Violation> early(points.size()), late;
  if (problem.constraints > 0) problem.constrain(points, early);
  std::vector<double> costs;
  problem.evaluate(points, costs, late);
  const std::size_t goals = problem.maximize.size();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (problem.maximize[i % goals]) costs[i] = -costs[i];
    if (!std::isfinite(costs[i])) costs[i] = infinity;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::span<const double> own(costs.data() + i * goals, goals);
    if (own[0] == infinity) continue;
    if (is_better(own, candidate.costs)) {
      const std::uint64_t broken = early[i].constraints | late[i].constraints;
      result.constraints |= broken;
      result.has_better_neighbour = result.has_better_neighbour || broken == 0;
    }
    // Away from an end it gets worse, so beyond the end it may get better.
    for (const Neighbour& end : missing) {
      const bool is_opposite = end.variable == neighbours[i].variable && end.larger != neighbours[i].larger;
      if (is_opposite && is_better(candidate.costs, own)) result.ends.push_back({end.variable, end.larger});
    }
  }
  return result;
}

}  // namespace wave::analysis
