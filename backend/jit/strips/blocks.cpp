// Threads, and how they wait.
#include "backend/jit/strips/blocks.h"

#include "backend/threads.h"

#include <thread>

namespace wave::jit::strips {

namespace {

// Looks at how far another thread has come, before the processor is given to others.
constexpr int turns_before_yielding = 200;

}  // namespace

bool Blocks::run(const std::function<bool(int thread, std::int64_t block)>& work) {
  backend::work_on_threads(static_cast<int>(paces_.size()), [&](int thread, int threads) {
    threads_.store(threads, std::memory_order_relaxed);  // all of them the same
    Pace& pace = paces_[static_cast<std::size_t>(thread)];
    for (std::int64_t block = thread; block < blocks_ && !is_stopped(); block += threads) {
      pace.progress.store(0, std::memory_order_release);
      pace.block.store(block, std::memory_order_release);
      if (!work(thread, block)) return stop();
      reach(block, all);
    }
  });
  return !stop_;
}

bool Blocks::wait(std::int64_t own, std::int64_t block, std::int64_t progress) const {
  if (shares_thread(own, block)) return true;
  const Pace& pace = paces_[place(block)];
  for (int turn = 0;; ++turn) {
    const std::int64_t at = pace.block.load(std::memory_order_acquire);
    if (at > block || (at == block && pace.progress.load(std::memory_order_acquire) >= progress)) return true;
    if (is_stopped()) return false;
    if (turn > turns_before_yielding) std::this_thread::yield();
  }
}

}  // namespace wave::jit::strips
