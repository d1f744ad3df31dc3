// Stacks are reserved address space: only the part that is used costs memory.
#include "backend/interpreter/big_stack.h"

#include <cstdint>
#include <exception>

#include <pthread.h>

namespace wave::backend::interpreter {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t wanted_bytes = std::size_t{128} << 20;   // the sanitizer's shadow of it is real memory
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t wanted_bytes = std::size_t{128} << 20;
#else
constexpr std::size_t wanted_bytes = std::size_t{1} << 30;
#endif
#else
constexpr std::size_t wanted_bytes = std::size_t{1} << 30;
#endif
constexpr std::size_t least_bytes = std::size_t{8} << 20;
// Work on a big stack that begins more work, a batch its rows say, goes on on the same one as long as it stands near its
// begin; both are told the same size.
constexpr std::size_t slack_bytes = std::size_t{1} << 20;

struct Task {
  const std::function<void(std::size_t)>& work;
  std::size_t bytes;
  std::exception_ptr thrown;
};

// The big stack of this thread.
struct Here {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
thread_local Here here;

std::uintptr_t address_on_stack() {
  volatile char at = 0;
  return reinterpret_cast<std::uintptr_t>(&at) + static_cast<std::uintptr_t>(at);
}

bool stands_near_begin() { return here.begin != 0 && here.begin - address_on_stack() < slack_bytes / 2; }

void* start(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  here = {address_on_stack(), task.bytes};
  try {
    task.work(task.bytes);
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_on_big_stack(const std::function<void(std::size_t)>& work) {
  if (stands_near_begin()) return work(here.bytes);
  for (std::size_t bytes = wanted_bytes; bytes >= least_bytes; bytes /= 2) {
    Task task{work, bytes, nullptr};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes + slack_bytes);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, start, &task) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) continue;
    pthread_join(thread, nullptr);
    if (task.thrown) std::rethrow_exception(task.thrown);
    return;
  }
  constexpr std::size_t own_stack = std::size_t{1} << 20;   // no thread to be had: what is surely left of this one
  work(own_stack);
}

}  // namespace wave::backend::interpreter
