// Random numbers that are the same with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace wave::analysis {

class SearchRandom {
 public:
  explicit SearchRandom(std::uint64_t seed) : engine_(seed) {}

  // 0 <= i < count, each as likely.
  std::uint64_t below(std::uint64_t count) {
    const std::uint64_t rest = (~std::uint64_t{0} % count + 1) % count;  // of 2^64 by count
    std::uint64_t drawn = engine_();
    while (drawn > ~std::uint64_t{0} - rest) drawn = engine_();
    return drawn % count;
  }
  // 0 <= x < 1.
  double part() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  template <class Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace wave::analysis
