// Diagonal by diagonal. A turn of the line takes the values on a diagonal to those on a later one, always in the same
// way, so many turns are evaluated like identical steps of processes (docs/shortcuts.md, "Points on a line").
#include "backend/closed_form/band.h"

#include <algorithm>

namespace wave::backend::closed_form {

namespace {

constexpr Wide none = LongestPaths::none;

using Slice = std::vector<Wide>;

// From one slice to another; nothing if somewhere only one of them has a path.
std::optional<Slice> rise(const Slice& early, const Slice& late) {
  Slice result(early.size(), none);
  for (std::size_t i = 0; i < early.size(); ++i) {
    if ((early[i] == none) != (late[i] == none)) return std::nullopt;
    if (early[i] != none) result[i] = late[i] - early[i];
  }
  return result;
}

bool is_even(const Slice& rises) {
  std::optional<Wide> first;
  return std::all_of(rises.begin(), rises.end(), [&](Wide rise) {
    if (rise != none && !first) first = rise;
    return rise == none || rise == *first;
  });
}

Slice ahead(Slice slice, Wide times, const Slice& rises) {
  for (std::size_t i = 0; i < slice.size(); ++i) {
    if (slice[i] != none) slice[i] += times * rises[i];
  }
  return slice;
}

}  // namespace

Band::Band(const Torus& torus, const ClosedWalk& line, Shift aside, Shift target)
    : torus_(torus), line_(line), aside_(aside), target_(target) {
  first_ = std::numeric_limits<std::int64_t>::max();
  last_ = std::numeric_limits<std::int64_t>::min();
  include({0, 0});
  include(target);
  for (std::int64_t diagonal = 0; diagonal <= line.turn.steps(); ++diagonal) {
    const std::int64_t x = x_of(first_, diagonal), other = x_of(last_, diagonal);
    low_.push_back(std::min(x, other));
    high_.push_back(std::max(x, other));
  }
}

double Band::cells_of_turn() const {
  double cells = 0;
  for (std::size_t i = 1; i < low_.size(); ++i) cells += static_cast<double>(high_[i] - low_[i] + 1);
  return cells;
}

// Where a line meets a diagonal: every line does so once.
std::int64_t Band::x_of(std::int64_t number, std::int64_t diagonal) const {
  const std::int64_t length = line_.turn.steps();
  const std::int64_t steps = diagonal - number * aside_.steps() - line_.places.front().steps();
  const std::int64_t turns = steps / length - (steps % length < 0 ? 1 : 0);
  return line_.places[static_cast<std::size_t>(steps - turns * length)].x + turns * line_.turn.x + number * aside_.x;
}

void Band::include(Shift place) {
  const Wide span = cross(line_.turn, aside_);
  const auto is_before = [&](std::int64_t number) {
    const std::int64_t x = x_of(number, place.steps());
    return span > 0 ? x < place.x : x > place.x;
  };
  auto number = static_cast<std::int64_t>(cross(line_.turn, place) / span);
  while (is_before(number)) --number;
  while (!is_before(number + 1)) ++number;
  first_ = std::min(first_, number);
  last_ = std::max(last_, x_of(number, place.steps()) == place.x ? number : number + 1);
}

// From a diagonal of the first turn to the next.
Band::Slice Band::step(const Slice& slice, std::size_t diagonal) const {
  const std::int64_t low = low_[diagonal + 1], high = high_[diagonal + 1];
  const std::int64_t y = static_cast<std::int64_t>(diagonal) + 1 - low;
  const Shift period = torus_.period();
  Shift at{(low % period.x + period.x) % period.x, (y % period.y + period.y) % period.y};
  Slice result(static_cast<std::size_t>(high - low + 1), none);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t node = torus_.node(at);
    // The places before it, along y and along x.
    const std::int64_t same_x = low - low_[diagonal] + static_cast<std::int64_t>(i), less_x = same_x - 1;
    const auto offer = [&](std::int64_t from, std::int64_t weight) {
      if (from < 0 || from >= static_cast<std::int64_t>(slice.size())) return;
      const Wide length = slice[static_cast<std::size_t>(from)];
      if (length != none) result[i] = std::max(result[i], length + weight);
    };
    offer(less_x, torus_.along_x(node));
    offer(same_x, torus_.along_y(node));
    if (++at.x == period.x) at.x = 0;
    if (--at.y < 0) at.y = period.y - 1;
  }
  return result;
}

std::optional<Band::Slice> Band::turned(Slice slice, double& cells_left) const {
  cells_left -= cells_of_turn();
  if (cells_left < 0) return std::nullopt;
  for (std::size_t diagonal = 0; diagonal + 1 < low_.size(); ++diagonal) slice = step(slice, diagonal);
  return slice;
}

// Of the last three slices, each a turn after the one before: goes on by up to so many turns if a proof says how.
std::optional<std::int64_t> Band::skipped(Slice (&last)[3], std::int64_t most, double& cells_left) const {
  const auto rises = rise(last[0], last[1]);
  if (!rises || rise(last[1], last[2]) != rises) return 0;
  std::int64_t turns = most;
  for (bool is_proved = is_even(*rises); turns > 1 && !is_proved;) {
    const auto later = turned(ahead(last[0], turns + 1, *rises), cells_left);
    if (!later) return std::nullopt;
    is_proved = *later == ahead(last[1], turns + 1, *rises);
    if (!is_proved) turns /= 2;
  }
  if (turns <= 1) return 0;
  for (Slice& slice : last) slice = ahead(std::move(slice), turns, *rises);
  return turns;
}

std::optional<Wide> Band::length(double& cells_left) const {
  if (cells_of_turn() > cells_left) return std::nullopt;
  const std::int64_t all = target_.steps() / line_.turn.steps();
  Slice last[3];  // the newest behind
  last[2].assign(static_cast<std::size_t>(high_[0] - low_[0] + 1), none);
  last[2][static_cast<std::size_t>(-low_[0])] = 0;
  for (std::int64_t turns = 0; turns < all;) {
    last[0] = std::move(last[1]);
    last[1] = std::move(last[2]);
    auto next = turned(last[1], cells_left);
    if (!next) return std::nullopt;
    last[2] = *std::move(next);
    ++turns;
    if (turns < 2) continue;
    const auto more = skipped(last, all - turns, cells_left);
    if (!more) return std::nullopt;
    turns += *more;
  }
  Slice slice = std::move(last[2]);
  const auto rest = static_cast<std::size_t>(target_.steps() % line_.turn.steps());
  for (std::size_t diagonal = 0; diagonal < rest; ++diagonal) slice = step(slice, diagonal);
  return slice[static_cast<std::size_t>(target_.x - all * line_.turn.x - low_[rest])];
}

}  // namespace wave::backend::closed_form
