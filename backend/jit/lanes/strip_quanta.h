// Times of cells as whole numbers of quanta, which are added as integers: that takes half as long as adding doubles
// where vectors have more units for integers. The bits of a double hold the number, counted from those of `origin`, so
// that the larger of two times is the larger double. What is absent lies so far below all times that the weights on a
// path outside the space do not lift it to one.
#pragma once

#include <bit>
#include <cstdint>

namespace wave::jit::lanes::quanta {

inline constexpr std::uint64_t origin = std::uint64_t{0x433} << 52;  // of time 0
inline constexpr std::uint64_t absent = std::uint64_t{0x200} << 52;

// A path outside the space has less than so many cells in a strip, and in all planes if weights differ from cell to
// cell. Each weight is at most 2^52 quanta, and those from tables alone add up to less than 2^53 along any row, any
// column and all planes (ir/exact.h). So the path lifts `absent` by less than 386 * 2^52 < 2^61.
inline constexpr std::int64_t longest_path = 384;

// `time` is a multiple of the quantum, and less than 2^53 quanta.
inline std::int64_t number_of(double time, double inverse_quantum) {
  return static_cast<std::int64_t>(time * inverse_quantum);
}

inline double time_of(std::uint64_t cell, double quantum) {
  return static_cast<double>(static_cast<std::int64_t>(cell - origin)) * quantum;
}

}  // namespace wave::jit::lanes::quanta
