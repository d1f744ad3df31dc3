// When something happens where resources serve by time (docs/processes.md, Who asks first).
#pragma once

#include <cstdint>
#include <limits>

namespace wave::backend::processes::engine {

// A time, and how many steps of no duration have been taken since it was reached.
struct ServedMoment {
  double time = 0;  // ps
  std::uint32_t steps = 0;

  friend bool operator<(const ServedMoment& a, const ServedMoment& b) {
    return a.time < b.time || (a.time == b.time && a.steps < b.steps);
  }
  void step(double length) {
    steps = length > 0 ? 0 : steps + 1;
    time += length;
  }
  void join(const ServedMoment& other) {
    if (*this < other) *this = other;
  }
};
inline constexpr ServedMoment never{std::numeric_limits<double>::infinity(), 0};

}  // namespace wave::backend::processes::engine
