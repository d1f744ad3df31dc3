// Blocks of strips that follow each other: tiles of a sweep, or strips of a recurrence. Threads take them in turn, and
// evaluate each as far behind the blocks that it looks at as it must be.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace wave::jit::strips {

class Blocks {
 public:
  static constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();  // of a block's progress

  // At most so many threads, and at least one.
  Blocks(int threads, std::int64_t blocks) : blocks_(blocks), paces_(static_cast<std::size_t>(threads)) {}

  // Calls work(thread, block) for every block, by rising number on each thread, until it is false for one. Returns
  // whether it never was. `work` throws nothing.
  bool run(const std::function<bool(int thread, std::int64_t block)>& work);

  // --- for `work` ---
  int threads() const { return threads_.load(std::memory_order_relaxed); }
  bool shares_thread(std::int64_t block, std::int64_t other) const { return (block - other) % threads() == 0; }
  // The block has come so far.
  void reach(std::int64_t block, std::int64_t progress) {
    paces_[place(block)].progress.store(progress, std::memory_order_release);
  }
  // Until a block before `own` has come so far. False: stopped.
  bool wait(std::int64_t own, std::int64_t block, std::int64_t progress) const;
  void stop() { stop_ = true; }
  bool is_stopped() const { return stop_.load(std::memory_order_relaxed); }

 private:
  // How far a thread has come with its block. Blocks are begun in rising order, and each reaches `all`: a later one
  // tells that this one is done.
  struct alignas(64) Pace {
    std::atomic<std::int64_t> block{-1}, progress{0};
  };
  std::size_t place(std::int64_t block) const { return static_cast<std::size_t>(block % threads()); }

  const std::int64_t blocks_;
  std::vector<Pace> paces_;  // per thread
  std::atomic<int> threads_{1};
  std::atomic<bool> stop_{false};
};

}  // namespace wave::jit::strips
