// Tells how far a thread has come with its block of tiles. The thread with the next block follows it.
#pragma once

#include "backend/jit/sweep/thresholds.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

namespace wave::jit::sweep {

class alignas(64) Pace {
 public:
  static constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();

  void begin(std::int64_t block) {
    progress_.store(0, std::memory_order_release);
    block_.store(block, std::memory_order_release);
  }
  void reach(std::int64_t progress) { progress_.store(progress, std::memory_order_release); }

  // Blocks are begun in rising order, and each reaches `all`: a later one tells that this one is done. False: stopped.
  bool wait(std::int64_t block, std::int64_t progress, const std::atomic<bool>& stop) const {
    for (int turn = 0;; ++turn) {
      const std::int64_t at = block_.load(std::memory_order_acquire);
      if (at > block || (at == block && progress_.load(std::memory_order_acquire) >= progress)) return true;
      if (stop.load(std::memory_order_relaxed)) return false;
      if (turn > turns_before_yielding) std::this_thread::yield();
    }
  }

 private:
  std::atomic<std::int64_t> block_{-1}, progress_{0};
};

}  // namespace wave::jit::sweep
