// The clock that never goes back, in seconds.
#pragma once

#include <chrono>

namespace wave {

// Longer than any run; keeps the arithmetic on clocks from overflowing. A limit above it is none.
inline constexpr double longest_seconds = 1e8;

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace wave
