// Stacks are reserved address space: only the part that is used costs memory.
#include "base/big_stack.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <new>
#include <pthread.h>
#if defined(WAVE_SANITIZED) && !defined(__SANITIZE_THREAD__)
#define WAVE_TELLS_OF_STACKS
#include <sanitizer/common_interface_defs.h>
#endif
#include <sys/mman.h>
#include <ucontext.h>

namespace wave {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t wanted_bytes = std::size_t{128} << 20;  // the sanitizer's shadow of it is real memory
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t wanted_bytes = std::size_t{128} << 20;
#else
constexpr std::size_t wanted_bytes = std::size_t{1} << 30;
#endif
#else
constexpr std::size_t wanted_bytes = std::size_t{1} << 30;
#endif
// What of a stack stays in memory for the next work on it.
constexpr std::size_t kept_bytes = std::size_t{256} << 10;
constexpr std::size_t least_bytes = std::size_t{8} << 20;
// Work on a big stack that begins more work, a batch its rows say, goes on on the same one as long as it stands near
// its begin; both are told the same size.
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

// AddressSanitizer has to be told of every stack that is not a thread's, and when it is switched to.
class StackSwitch {
 public:
#ifdef WAVE_TELLS_OF_STACKS
  void leave_outside(const void* inside, std::size_t size) { __sanitizer_start_switch_fiber(&frames_, inside, size); }
  void arrive_inside() { __sanitizer_finish_switch_fiber(nullptr, &outside_, &size_); }
  void leave_inside() { __sanitizer_start_switch_fiber(nullptr, outside_, size_); }
  void arrive_outside() { __sanitizer_finish_switch_fiber(frames_, nullptr, nullptr); }

 private:
  void* frames_ = nullptr;  // what it keeps of the frames outside
  const void* outside_ = nullptr;
  std::size_t size_ = 0;
#else
  void leave_outside(const void*, std::size_t) {}
  void arrive_inside() {}
  void leave_inside() {}
  void arrive_outside() {}
#endif
};

// A stack that a thread switches to and keeps: what a thread of its own would be good for, without making one each
// time.
class KeptStack {
 public:
  KeptStack() = default;
  KeptStack(const KeptStack&) = delete;
  KeptStack& operator=(const KeptStack&) = delete;
  ~KeptStack() {
    if (memory_) munmap(memory_, size_);
  }
  // False: there is none, or it is in use.
  bool run(Task& task, std::size_t at_least);

 private:
  bool reserve();
  bool reached_beyond_kept() const;
  struct Entry {
    Task& task;
    StackSwitch& sanitizer;
  };
  static void enter() {
    const Entry entry = *entering_;
    entry.sanitizer.arrive_inside();
    start(&entry.task);
    entry.sanitizer.leave_inside();
  }

  static thread_local const Entry* entering_;
  char* memory_ = nullptr;
  std::size_t size_ = 0;
  bool in_use_ = false;
};
thread_local const KeptStack::Entry* KeptStack::entering_ = nullptr;
thread_local KeptStack kept_stack;

bool KeptStack::reserve() {
  constexpr std::size_t guard_bytes = std::size_t{64} << 10;
  // As a stack, which a limit on data (RLIMIT_DATA) does not count: those of sixteen threads would leave nothing of it.
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_GROWSDOWN;
  for (std::size_t bytes = wanted_bytes; !memory_ && bytes >= least_bytes; bytes /= 2) {
    size_ = bytes + slack_bytes;
    void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) continue;
    if (mprotect(memory, guard_bytes, PROT_NONE) != 0) {
      munmap(memory, size_);
      return false;
    }
    memory_ = static_cast<char*>(memory);
  }
  return memory_ != nullptr;
}

bool KeptStack::run(Task& task, [[maybe_unused]] std::size_t at_least) {
#if defined(WAVE_SANITIZED) && !defined(__clang__)
  return false;  // GCC's sanitizers are only told of the stacks of threads
#endif
  ucontext_t outside, inside;
  if (in_use_ || !reserve() || size_ < at_least || getcontext(&inside) != 0) return false;
  inside.uc_stack.ss_sp = memory_;
  inside.uc_stack.ss_size = size_;
  inside.uc_link = &outside;
  makecontext(&inside, enter, 0);
  task.bytes = size_ - slack_bytes;
  StackSwitch sanitizer;
  const Entry entry{task, sanitizer};
  entering_ = &entry;
  const Here before = here;
  in_use_ = true;
  sanitizer.leave_outside(memory_, size_);
  // As swapcontext() does; but where that is called, AddressSanitizer clears what it knows of the whole stack.
  volatile bool is_back = false;
  getcontext(&outside);
  if (!is_back) {
    is_back = true;
    setcontext(&inside);
  }
  sanitizer.arrive_outside();
  in_use_ = false;
  here = before;
  if (reached_beyond_kept()) madvise(memory_, size_ - kept_bytes, MADV_DONTNEED);
  return true;
}

// No frame is as large as what is looked at, so a deep stack has touched some page of it. To give back what was never
// touched would take as long as a small evaluation: the kernel walks the whole reservation.
bool KeptStack::reached_beyond_kept() const {
  std::array<unsigned char, kept_bytes / 4096> resident{};  // pages are at least as large
  if (mincore(memory_ + size_ - 2 * kept_bytes, kept_bytes, resident.data()) != 0) return true;
  return std::any_of(resident.begin(), resident.end(), [](unsigned char page) { return (page & 1) != 0; });
}

}  // namespace

void run_on_big_stack(const std::function<void(std::size_t)>& work, std::size_t at_least) {
  if (stands_near_begin() && here.bytes >= at_least) return work(here.bytes);
  Task switched{work, 0, nullptr};
  if (kept_stack.run(switched, at_least)) {
    if (switched.thrown) std::rethrow_exception(switched.thrown);
    return;
  }
  for (std::size_t bytes = std::max(wanted_bytes, at_least); bytes >= std::max(least_bytes, at_least); bytes /= 2) {
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
  if (at_least > 0) throw std::bad_alloc();
  constexpr std::size_t own_stack = std::size_t{1} << 20;  // no thread to be had: what is surely left of this one
  work(own_stack);
}

}  // namespace wave
