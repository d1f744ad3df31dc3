// A sum of doubles that rounds once, at the end. So it does not depend on the order of its summands.
#pragma once

#include <array>
#include <cstdint>

namespace wave::backend::processes {

// Of summands that are finite and not negative.
class ExactSum {
 public:
  // `count` times `value`; `count` is not negative.
  void add(double value, unsigned __int128 count = 1);
  double rounded() const;  // to nearest, ties to even; infinite beyond the range
  friend bool operator==(const ExactSum&, const ExactSum&) = default;

 private:
  // A fixed-point number with its last bit at 2^-1074; room for 2^128 summands of any size.
  static constexpr int lowest_exponent = -1074;
  static constexpr std::size_t digits = (1074 + 1024 + 128) / 32 + 2;
  void add_at(std::size_t digit, std::uint64_t value);

  std::array<std::uint32_t, digits> number_{};
};

// The quotient, rounded once: to nearest, ties to even.
double divide(__int128 dividend, std::uint64_t divisor);

}  // namespace wave::backend::processes
