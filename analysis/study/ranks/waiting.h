// Waiting for packets without keeping the processor busy, on which others compute.
#pragma once

#include <algorithm>
#include <chrono>

namespace wave::ranks {

// How long to sleep: hardly at all after something has happened, and then longer and longer.
class Pause {
 public:
  explicit Pause(std::chrono::microseconds longest) : longest_(longest) {}
  void something_happened() { next_ = shortest; }
  std::chrono::microseconds next() {
    const auto now = next_;
    next_ = std::min(next_ * 2, longest_);
    return now;
  }

 private:
  static constexpr std::chrono::microseconds shortest{20};
  const std::chrono::microseconds longest_;
  std::chrono::microseconds next_ = shortest;
};

// The time for which this process was running. When a job is suspended, next to nothing of that time counts.
class Awake {
 public:
  // Seconds since the call before.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return std::min(seconds, most);
  }

 private:
  static constexpr double most = 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace wave::ranks
