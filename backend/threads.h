// Threads that do one piece of work together.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace wave::backend {

// `threads` with 0 for as many as the machine has.
inline int actual_threads(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Calls work(number, threads) on up to `wanted` threads, number 0 on this one, and returns when all are done. Where
// there are no more threads to be had there are fewer: none begins before it is known how many. `work` throws nothing:
// otherwise the program would end on this thread, too, since the others may wait for what is not done.
inline void work_on_threads(int wanted, const std::function<void(int number, int threads)>& work) {
  std::atomic<int> threads{0};  // not known yet
  std::vector<std::thread> others;
  const auto begin = [&](int number) noexcept { work(number, threads); };
  try {
    for (int number = 1; number < wanted; ++number) {
      others.emplace_back([&, number] {
        threads.wait(0);
        begin(number);
      });
    }
  } catch (const std::exception&) {  // no such thread
  }
  threads = static_cast<int>(others.size()) + 1;
  threads.notify_all();
  begin(0);
  for (std::thread& other : others) other.join();
}

// The same where `all_there.arrive_and_wait()` is for all of them to call equally often.
inline void work_on_threads(int wanted, const std::function<void(int number, std::barrier<>& all_there)>& work) {
  std::optional<std::barrier<>> all_there;
  std::once_flag made;
  work_on_threads(wanted, [&](int number, int threads) {
    std::call_once(made, [&] { all_there.emplace(threads); });
    work(number, *all_there);
  });
}

}  // namespace wave::backend
