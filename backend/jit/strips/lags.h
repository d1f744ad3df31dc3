// By how much lanes and events must lag behind the steps of strips so that everything comes after what it needs.
// Consecutive tiles of a sweep, or rows of a recurrence, lie in vector lanes. On each axis a lane lags behind the one
// before by the axis's skew, and an event behind the step by a shift.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wave::jit::strips {

// Planes, rows, columns, turned so that all rise.
using Offset = std::array<int, 3>;

inline Offset plus(const Offset& left, const Offset& right) {
  return {left[0] + right[0], left[1] + right[1], left[2] + right[2]};
}

struct Dependence {
  std::uint32_t from = 0, to = 0;  // event `to` needs `from` at this offset, so many lanes back
  Offset offset{};
  int back = 0;
};

// The least shifts, at least 0, with shift[to] >= shift[from] + length; nothing where there are none.
template <class Length>
std::optional<std::vector<int>> least_shifts(std::size_t events, const std::vector<Dependence>& dependences,
                                             const Length& length) {
  std::vector<int> shift(events, 0);
  for (std::size_t round = 0; round <= events; ++round) {
    bool changed = false;
    for (const Dependence& dependence : dependences) {
      const int least = shift[dependence.from] + length(dependence);
      if (shift[dependence.to] >= least) continue;
      shift[dependence.to] = least;
      changed = true;
    }
    if (!changed) return shift;
  }
  return std::nullopt;
}

// Those on one axis, with this skew.
inline std::optional<std::vector<int>> least_shifts(std::size_t axis, std::size_t events,
                                                    const std::vector<Dependence>& dependences, int skew) {
  return least_shifts(events, dependences,
                      [&](const Dependence& dependence) { return dependence.offset[axis] - dependence.back * skew; });
}

// The least skew of an axis, from `least` to `most`, with which there are shifts. Larger ones only relax.
inline std::optional<int> least_skew(std::size_t axis, std::size_t events, const std::vector<Dependence>& dependences,
                                     int least, int most) {
  for (int skew = least; skew <= most; ++skew) {
    if (least_shifts(axis, events, dependences, skew)) return skew;
  }
  return std::nullopt;
}

}  // namespace wave::jit::strips
