// Costs that repeat along two axes, as a graph on a torus: a node for each place of a period, and steps along x and y
// that lead on from the last to the first.
#pragma once

#include "backend/closed_form/index_function.h"

#include <optional>

namespace wave::backend::closed_form {

// How far, along both axes.
struct Shift {
  std::int64_t x = 0, y = 0;

  std::int64_t steps() const { return x + y; }
  friend Shift operator+(Shift a, Shift b) { return {a.x + b.x, a.y + b.y}; }
  friend Shift operator-(Shift a, Shift b) { return {a.x - b.x, a.y - b.y}; }
  friend Shift operator*(std::int64_t times, Shift a) { return {times * a.x, times * a.y}; }
};

// Positive where b is turned from a towards y.
inline Wide cross(Shift a, Shift b) { return Wide{a.x} * b.y - Wide{a.y} * b.x; }

// A path from a node back to it. In the plane it goes on for ever: as a line, which is itself when shifted by `turn`.
struct ClosedWalk {
  std::vector<Shift> places;  // in the plane, of one turn
  Shift turn;                 // whole periods
  Wide length = 0;            // the sum of the weights of a turn

  bool goes_along_x(std::size_t step) const;
};

// What paths gain for a period along x and for one along y, times `scale`.
struct Rates {
  Wide scale = 1, x = 0, y = 0;
};

// The longest paths to all nodes from where paths may begin, as far as they have been found.
struct LongestPaths {
  static constexpr Wide none = -(Wide{1} << 120);
  enum class Last : std::uint8_t { nothing, x, y };

  std::vector<Wide> length;  // none: no path has been found
  std::vector<Last> last;    // the step that a path ends with
};

class Torus {
 public:
  // The weights of the steps that lead to a node; the one at {x, y} is number x * period.y + y.
  Torus(Shift period, std::vector<std::int64_t> along_x, std::vector<std::int64_t> along_y)
      : period_(period), along_x_(std::move(along_x)), along_y_(std::move(along_y)) {}

  Shift period() const { return period_; }
  std::size_t nodes() const { return along_x_.size(); }
  std::size_t node(Shift place) const {
    return static_cast<std::size_t>(place.x % period_.x * period_.y + place.y % period_.y);
  }
  std::int64_t along_x(std::size_t node) const { return along_x_[node]; }
  std::int64_t along_y(std::size_t node) const { return along_y_[node]; }

  ClosedWalk walk(Shift from, const std::vector<bool>& goes_along_x) const;

  // In both, weights count `scale` times, and a step into another period loses what a period gains at the rates.
  // A closed walk that gains more than it loses.
  std::optional<ClosedWalk> gaining_walk(const Rates& rates) const;
  // Where there is none.
  LongestPaths paths_from(Shift place, const Rates& rates) const;
  // How far the path to a node goes.
  Shift way(const LongestPaths& paths, Shift to) const;

 private:
  bool sweep(LongestPaths& paths, const Rates& rates) const;
  std::optional<ClosedWalk> closed_walk(const LongestPaths& paths) const;
  Shift before(Shift place, LongestPaths::Last step) const;

  Shift period_;
  std::vector<std::int64_t> along_x_, along_y_;
};

}  // namespace wave::backend::closed_form
