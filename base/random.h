// Random numbers that are functions of their place: the same bits come out everywhere and in any order.
#pragma once

#include <array>
#include <cstdint>

namespace wave {

// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// A number between 0 and 1, both excluded, of 64 random bits: a middle of 2^53 equal parts.
double uniform_of(std::uint64_t bits);

// A number between 0 and 1, both excluded, which is another one for each x; NaN for NaN. 0 and -0 have the same.
double random_of(double x);

// The z below which a standard normal number lies with probability p, 0 < p < 1, to about 1e-15 of its size. Computed
// by Wichura's rational functions ("Algorithm AS 241: The percentage points of the normal distribution", Applied
// Statistics 37, 1988).
double normal_quantile(double p);

}  // namespace wave
