// A sum of doubles that rounds once, at the end. So it does not depend on the order of its summands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wave::backend::processes {

// Of summands that are finite and not negative.
class ExactSum {
 public:
  // `count` times `value`; `count` is not negative.
  void add(double value, unsigned __int128 count = 1);
  double rounded() const;  // to nearest, ties to even; infinite beyond the range
  friend bool operator==(const ExactSum& a, const ExactSum& b);

 private:
  // A fixed-point number with its last bit at 2^-1074; room for 2^128 summands of any size.
  static constexpr int lowest_exponent = -1074;
  static constexpr std::size_t digits = (1074 + 1024 + 128) / 32 + 2;
  void add_long(double value, unsigned __int128 count);
  void add_at(std::size_t digit, std::uint64_t value);
  double rounded_long() const;
  void lengthen();

  // In units of 2^-32 as long as all summands are whole multiples of it that fit, as sizes of messages are; then by
  // digits, and `short_` is 0.
  unsigned __int128 short_ = 0;
  std::vector<std::uint32_t> number_;
};

// The quotient, rounded once: to nearest, ties to even.
double divide(__int128 dividend, std::uint64_t divisor);

}  // namespace wave::backend::processes
