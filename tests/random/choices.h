// Seeded choices that are the same on every machine, which the standard distributions are not.
#pragma once

#include "ir/scalar.h"

#include <cstdint>
#include <random>
#include <vector>

namespace wave::test {

class Choices {
 public:
  explicit Choices(std::uint64_t seed) : engine_(seed) {}

  // From 0 to `count` - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool chance(double probability) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < probability; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  double wild_real();
  double tame_real() { return static_cast<double>(between(-400, 4000)) / (chance(0.5) ? 8.0 : 7.0); }
  std::int64_t wild_integer();
  std::int64_t tame_integer() { return between(-3, 9); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace wave::test
