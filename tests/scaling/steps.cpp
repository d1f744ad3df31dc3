// See steps.h.
#include "tests/scaling/steps.h"

#include <atomic>

namespace {

// Two threads that count at once may lose a step, which does not matter here, and is cheaper than a locked addition.
std::atomic<std::uint64_t> count = 0;

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::uint64_t wave::test::steps() { return count.load(std::memory_order_relaxed); }
