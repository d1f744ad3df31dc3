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

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: spreads neighbours
  add_one(count);
  add_one(places[reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) * odd >> (64 - place_bits)]);
}

std::uint64_t wave::test::steps() { return count.load(std::memory_order_relaxed); }
