#include "backend/closed_form/cone.h"

#include "backend/closed_form/band.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

ClosedWalk straight(const Torus& torus, bool is_x) {
  const std::int64_t steps = is_x ? torus.period().x : torus.period().y;
  return torus.walk({0, 0}, std::vector<bool>(static_cast<std::size_t>(steps), is_x));
}

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

// Node -> which place of the walk that is.
std::vector<std::size_t> places_by_node(const Torus& torus, const ClosedWalk& walk) {
  std::vector<std::size_t> result(torus.nodes(), nowhere);
  for (std::size_t i = 0; i < walk.places.size(); ++i) result[torus.node(walk.places[i])] = i;
  return result;
}

// The steps from one of its places to another.
void append(std::vector<bool>& steps, const ClosedWalk& walk, std::size_t from, std::size_t to) {
  for (; from != to; from = (from + 1) % walk.places.size()) steps.push_back(walk.goes_along_x(from));
}

// Closed walks made of a piece of `walk`, from where it meets the other to where it next does, and a piece of the
// other.
std::vector<ClosedWalk> joined(const Torus& torus, const ClosedWalk& walk, const ClosedWalk& other) {
  const std::vector<std::size_t> on_other = places_by_node(torus, other);
  const auto other_place = [&](std::size_t i) { return on_other[torus.node(walk.places[i])]; };
  std::vector<std::size_t> meetings;
  for (std::size_t i = 0; i < walk.places.size(); ++i) {
    if (other_place(i) != nowhere) meetings.push_back(i);
  }
  std::vector<ClosedWalk> result;
  for (std::size_t i = 0; meetings.size() > 1 && i < meetings.size(); ++i) {
    const std::size_t from = meetings[i], to = meetings[(i + 1) % meetings.size()];
    std::vector<bool> steps;
    append(steps, walk, from, to);
    append(steps, other, other_place(to), other_place(from));
    result.push_back(torus.walk(walk.places[from], steps));
  }
  return result;
}

// How far to one side of its direction and to the other a line goes.
Wide width(const ClosedWalk& walk) {
  Wide low = cross(walk.turn, walk.places.front()), high = low;
  for (const Shift place : walk.places) {
    low = std::min(low, cross(walk.turn, place));
    high = std::max(high, cross(walk.turn, place));
  }
  return high - low;
}

}  // namespace

Cone::Cone(const Torus& torus, Shift target)
    : torus_(torus), flat_(straight(torus, true)), steep_(straight(torus, false)) {
  while (auto better = torus.gaining_walk(rates())) put(*std::move(better), target);
  while (is_joined_ && periods_spanned() > 1) join_walks(target);
  if (!is_joined_) return;
  const std::vector<std::size_t> on_steep = places_by_node(torus, steep_);
  const Shift meeting = *std::find_if(flat_.places.begin(), flat_.places.end(),
                                      [&](Shift place) { return on_steep[torus.node(place)] != nowhere; });
  const LongestPaths to_there = torus.paths_from({0, 0}, rates());
  beginning_ = to_there.length[torus.node(meeting)];
  way_there_ = torus.way(to_there, meeting);
  from_there_ = torus.paths_from(meeting, rates());
}

// Both walks gain nothing at these.
Rates Cone::rates() const {
  const Shift period = torus_.period();
  const std::int64_t flat_x = flat_.turn.x / period.x, flat_y = flat_.turn.y / period.y;
  const std::int64_t steep_x = steep_.turn.x / period.x, steep_y = steep_.turn.y / period.y;
  return {periods_spanned(), flat_.length * steep_y - steep_.length * flat_y,
          steep_.length * flat_x - flat_.length * steep_x};
}

// By the parallelogram of both turns.
Wide Cone::periods_spanned() const {
  return cross(flat_.turn, steep_.turn) / (Wide{torus_.period().x} * torus_.period().y);
}

// In place of one of the walks, so that the target stays in the cone.
void Cone::put(ClosedWalk walk, Shift target) {
  const bool is_flat = cross(flat_.turn, walk.turn) <= 0;
  const bool is_steep = !is_flat && cross(walk.turn, steep_.turn) <= 0;
  (is_flat || (!is_steep && cross(walk.turn, target) >= 0) ? flat_ : steep_) = std::move(walk);
}

// Where the turns span several periods, the lines meet at several places of a period. Their pieces make other closed
// walks that gain nothing.
void Cone::join_walks(Shift target) {
  std::vector<ClosedWalk> walks = joined(torus_, flat_, steep_);
  for (ClosedWalk& walk : joined(torus_, steep_, flat_)) walks.push_back(std::move(walk));
  ClosedWalk* best = nullptr;
  Wide least = cross(flat_.turn, steep_.turn);
  for (ClosedWalk& walk : walks) {
    const Wide to_flat = cross(flat_.turn, walk.turn), to_steep = cross(walk.turn, steep_.turn);
    if (to_flat <= 0 || to_steep <= 0) continue;
    const Wide left = cross(walk.turn, target) >= 0 ? to_steep : to_flat;
    if (left < least) best = &walk, least = left;
  }
  is_joined_ = best != nullptr;
  if (best) put(std::move(*best), target);
}

// No path from place 0 to the target can avoid all lines of one of the walks: between two neighbours there is no room
// for both.
bool Cone::meets_a_line(Shift target) const {
  const Wide apart = Wide{torus_.period().x} * torus_.period().y;
  return cross(flat_.turn, target) >= apart + width(flat_) || cross(target, steep_.turn) >= apart + width(steep_);
}

// To a meeting of the lines, along them to another one, and from there to the target.
std::optional<Wide> Cone::length_by_turns(Shift target) const {
  if (!is_joined_ || !meets_a_line(target)) return std::nullopt;
  const Shift along = target - way_there_ - torus_.way(from_there_, target);
  if (cross(flat_.turn, along) < 0 || cross(along, steep_.turn) < 0) return std::nullopt;
  const Rates gain = rates();
  return gain.x * (target.x / torus_.period().x) + gain.y * (target.y / torus_.period().y) + beginning_ +
         from_there_.length[torus_.node(target)];
}

std::optional<Wide> Cone::length(Shift target, double& cells_left) const {
  if (const auto length = length_by_turns(target)) return length;
  const Band along_flat(torus_, flat_, steep_.turn, target), along_steep(torus_, steep_, flat_.turn, target);
  const bool is_flat = along_flat.cells_of_turn() <= along_steep.cells_of_turn();
  return (is_flat ? along_flat : along_steep).length(cells_left);
}

}  // namespace wave::backend::closed_form
