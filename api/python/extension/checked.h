// Calls of libwave, whose errors become exceptions, and what gives its handles back.
#pragma once

#include "api/include/wave/wave.h"
#include "api/python/extension/types.h"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace wave::python {

struct Close {
  void operator()(const void* handle) const { wave_close(handle); }
};

template <class T>
using Handle = std::unique_ptr<T, Close>;

// Where a call puts the handle that it makes, for an owner of it. The owner has it when the call returns, and so closes
// it where a signal raises an exception just as the call succeeds.
template <class T>
class Into {
 public:
  explicit Into(Handle<T>& owner) : owner_(owner) {}
  Into(const Into&) = delete;
  Into& operator=(const Into&) = delete;
  ~Into() { owner_.reset(made_); }
  operator T**() { return &made_; }

 private:
  Handle<T>& owner_;
  T* made_ = nullptr;
};

// What a call failed with. It becomes a wavemodel.Error.
struct Failed {
  Failed(wave_status status, wave_error* error);  // closes `error`, which may be null
  MaybeError object() const;

  wave_status status;
  std::string text, coloured, json;
};

void translate_failures();

// What is to be said of a program or a result.
MaybeError warnings_of(const void* handle);

inline const char* text_or_null(const std::optional<std::string>& text) { return text ? text->c_str() : nullptr; }

// Makes a call, which is handed the address of an error.
template <class Call>
void checked(const Call& call) {
  wave_error* error = nullptr;
  const wave_status status = call(&error);
  if (status != WAVE_OK) throw Failed(status, error);
}

// The same while other threads of Python run.
template <class Call>
void checked_aside(const Call& call) {
  const py::gil_scoped_release release;
  checked(call);
}

// Makes a call in a thread of its own while this one looks for signals, because Python runs their handlers in its first
// thread only. If one raises an exception (KeyboardInterrupt), `stop` is called until the call has ended.
template <class Call, class Stop>
void interruptible(const Call& call, const Stop& stop) {
  using namespace std::chrono_literals;
  std::future<void> ended = std::async(std::launch::async, [&] { checked(call); });
  const auto waits = [&](std::chrono::milliseconds time) {
    const py::gil_scoped_release release;
    return ended.wait_for(time) != std::future_status::ready;
  };
  while (waits(50ms)) {
    if (PyErr_CheckSignals() == 0) continue;
    const py::error_already_set raised;
    do stop();
    while (waits(10ms));
    throw raised;
  }
  ended.get();
}

// The same for calls that are made again and again. In a loop of those that take microseconds, one is made without the
// other thread, which takes some tens of them.
class InterruptibleCalls {
 public:
  template <class Call, class Stop>
  void make(const Call& call, const Stop& stop) {
    using namespace std::chrono_literals;
    const bool is_quick_again = ended_ - begun_ < 5ms && Clock::now() - ended_ < 1ms;
    begun_ = Clock::now();
    const NotesEnd noted{ended_};
    if (is_quick_again)
      checked_aside(call);
    else
      interruptible(call, stop);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct NotesEnd {
    Clock::time_point& ended;
    ~NotesEnd() { ended = Clock::now(); }
  };
  Clock::time_point begun_, ended_;  // of the last call
};

}  // namespace wave::python
