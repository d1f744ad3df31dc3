// Threads that do one piece of work together.
#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace wave::backend {

// Calls work(number, all_there) on up to `wanted` threads, number 0 on this one, and returns when all are done. Where
// there are no more threads to be had there are fewer. `all_there.arrive_and_wait()` is for all of them to call equally
// often. `work` throws nothing.
inline void work_on_threads(int wanted, const std::function<void(int number, std::barrier<>& all_there)>& work) {
  std::barrier<> begun(wanted), all_there(wanted);
  std::vector<std::thread> others;
  try {
    for (int number = 1; number < wanted; ++number) {
      others.emplace_back([&, number] {
        begun.arrive_and_wait();
        work(number, all_there);
      });
    }
  } catch (const std::exception&) {  // no such thread
  }
  for (auto missing = static_cast<int>(others.size()) + 1; missing < wanted; ++missing) {
    begun.arrive_and_drop();
    all_there.arrive_and_drop();
  }
  begun.arrive_and_wait();
  work(0, all_there);
  for (std::thread& other : others) other.join();
}

}  // namespace wave::backend
