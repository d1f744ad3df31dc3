// Random numbers by their place: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1,
// 2, 3", SC'11). The k-th number of a stream is a function of k, so the same bits come out everywhere and in any order.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wave::analysis {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// One of the streams of a seed.
class RandomStream {
 public:
  // Streams of other names share nothing; `purpose` tells apart what one name is used for.
  RandomStream(std::uint64_t seed, std::string_view name, std::uint32_t purpose = 0);

  // The k-th 64 bits.
  std::uint64_t bits(std::uint64_t k) const;
  // The k-th number between 0 and 1, neither of them: the middles of 2^53 equal parts.
  double uniform(std::uint64_t k) const;
  // The k-th number of 0 .. count - 1; count is not 0. No number is likelier than another by more than count / 2^64.
  std::uint64_t below(std::uint64_t k, std::uint64_t count) const;

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint32_t name_, purpose_;
};

}  // namespace wave::analysis
