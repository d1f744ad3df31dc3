// Bellman's and Ford's method. Sweeps go along both axes, so a path takes as many sweeps as it goes into other periods.
#include "backend/closed_form/torus.h"

#include <algorithm>

namespace wave::backend::closed_form {

using Last = LongestPaths::Last;

bool ClosedWalk::goes_along_x(std::size_t step) const {
  const Shift next = step + 1 < places.size() ? places[step + 1] : places.front() + turn;
  return next.x > places[step].x;
}

ClosedWalk Torus::walk(Shift from, const std::vector<bool>& goes_along_x) const {
  ClosedWalk result;
  Shift at = from;
  for (const bool is_x : goes_along_x) {
    result.places.push_back(at);
    ++(is_x ? at.x : at.y);
    result.length += is_x ? along_x_[node(at)] : along_y_[node(at)];
  }
  result.turn = at - from;
  return result;
}

std::optional<ClosedWalk> Torus::gaining_walk(const Rates& rates) const {
  LongestPaths paths{std::vector<Wide>(nodes(), 0), std::vector<Last>(nodes(), Last::nothing)};
  while (sweep(paths, rates)) {
    if (auto found = closed_walk(paths)) return found;
  }
  return std::nullopt;
}

LongestPaths Torus::paths_from(Shift place, const Rates& rates) const {
  LongestPaths paths{std::vector<Wide>(nodes(), LongestPaths::none), std::vector<Last>(nodes(), Last::nothing)};
  paths.length[node(place)] = 0;
  while (sweep(paths, rates)) {}
  return paths;
}

// False where no path got longer.
bool Torus::sweep(LongestPaths& paths, const Rates& rates) const {
  bool is_longer = false;
  const auto offer = [&](std::size_t from, std::size_t to, Wide gain, Last step) {
    if (paths.length[from] == LongestPaths::none || paths.length[from] + gain <= paths.length[to]) return;
    paths.length[to] = paths.length[from] + gain;
    paths.last[to] = step;
    is_longer = true;
  };
  const auto row = static_cast<std::size_t>(period_.y);
  for (std::size_t to = 0; to < nodes(); ++to) {
    const bool is_first_x = to < row, is_first_y = to % row == 0;
    offer(is_first_x ? nodes() - row + to : to - row, to, rates.scale * along_x_[to] - (is_first_x ? rates.x : 0),
          Last::x);
    offer(is_first_y ? to + row - 1 : to - 1, to, rates.scale * along_y_[to] - (is_first_y ? rates.y : 0), Last::y);
  }
  return is_longer;
}

// On the torus.
Shift Torus::before(Shift place, Last step) const {
  if (step == Last::x) return {place.x == 0 ? period_.x - 1 : place.x - 1, place.y};
  return {place.x, place.y == 0 ? period_.y - 1 : place.y - 1};
}

// Paths whose last steps lead back in a circle have got longer on the way.
std::optional<ClosedWalk> Torus::closed_walk(const LongestPaths& paths) const {
  std::vector<std::size_t> seen(nodes(), 0);  // by which search
  for (std::size_t search = 1; search <= nodes(); ++search) {
    const auto begin = static_cast<std::int64_t>(search - 1);
    Shift at{begin / period_.y, begin % period_.y};
    while (seen[node(at)] == 0 && paths.last[node(at)] != Last::nothing) {
      seen[node(at)] = search;
      at = before(at, paths.last[node(at)]);
    }
    if (seen[node(at)] != search) {
      seen[node(at)] = search;
      continue;
    }
    std::vector<bool> steps;
    const Shift end = at;
    do {
      steps.push_back(paths.last[node(at)] == Last::x);
      at = before(at, paths.last[node(at)]);
    } while (node(at) != node(end));
    std::reverse(steps.begin(), steps.end());
    return walk(end, steps);
  }
  return std::nullopt;
}

Shift Torus::way(const LongestPaths& paths, Shift to) const {
  Shift result, at{to.x % period_.x, to.y % period_.y};
  for (Last step = paths.last[node(at)]; step != Last::nothing; step = paths.last[node(at)]) {
    ++(step == Last::x ? result.x : result.y);
    at = before(at, step);
  }
  return result;
}

}  // namespace wave::backend::closed_form
