// See steps.h.
#include "tests/scaling/steps.h"

#include <atomic>
#include <cstddef>

namespace {

// Two threads that count at once may lose a step, which does not matter here, and is cheaper than a locked addition.
template <class Number>
void add_one(std::atomic<Number>& count) {
  count.store(static_cast<Number>(count.load(std::memory_order_relaxed) + 1), std::memory_order_relaxed);
}

std::atomic<std::uint64_t> count = 0;

// libFuzzer takes counters in a section of this name for coverage, and clears them before each run.
constexpr int place_bits = 16;
__attribute__((section("__libfuzzer_extra_counters"))) std::atomic<std::uint8_t> places[std::size_t{1} << place_bits];

__attribute__((always_inline)) inline void step(const void* place) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: spreads neighbours
  add_one(count);
  add_one(places[reinterpret_cast<std::uintptr_t>(place) * odd >> (64 - place_bits)]);
}

}  // namespace

// libFuzzer has a function of this name, which only says that it is not supported. Fuzz targets are linked with
// `--wrap`, so that they call the other one.
extern "C" __attribute__((weak)) void __sanitizer_cov_trace_pc() { step(__builtin_return_address(0)); }
extern "C" void __wrap___sanitizer_cov_trace_pc() { step(__builtin_return_address(0)); }

std::uint64_t wave::test::steps() { return count.load(std::memory_order_relaxed); }
