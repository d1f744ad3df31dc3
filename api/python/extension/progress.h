// What calls that take long report to.
#pragma once

#include "api/python/extension/checked.h"

#include <atomic>
#include <cstdint>
#include <exception>

namespace wave::python {

// An exception of the caller's function ends it, and is raised then.
struct Progress {
  ProgressFunction function;
  std::atomic<bool> is_stopped = false;
  std::exception_ptr thrown;

  static int tell(std::uint64_t done, std::uint64_t all, void* data) {
    auto& progress = *static_cast<Progress*>(data);
    if (progress.is_stopped) return 1;
    if (progress.function.is_none()) return 0;
    const py::gil_scoped_acquire acquire;
    try {
      progress.function(done, all);
    } catch (...) {
      progress.thrown = std::current_exception();
      progress.is_stopped = true;
    }
    return progress.is_stopped ? 1 : 0;
  }

  // Makes a call that reports to this; `stop` is one that ends it, and is heard only while it is being made.
  template <class Call, class Stop>
  void run(const Call& call, const Stop& stop) {
    try {
      call([this, &stop] {
        is_stopped = true;
        stop();
      });
    } catch (const Failed&) {
      if (thrown) std::rethrow_exception(thrown);
      throw;
    }
  }
};

}  // namespace wave::python
