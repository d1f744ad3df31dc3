// Long addition in base 2^32. See exact_sum.h.
#include "backend/processes/program/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::backend::processes {

// Adds a number below 2^64 - 2^32 at a digit and carries.
void ExactSum::add_at(std::size_t digit, std::uint64_t value) {
  for (std::size_t i = digit; value != 0 && i < digits; ++i) {
    value += number_[i];
    number_[i] = static_cast<std::uint32_t>(value);
    value >>= 32;
  }
}

void ExactSum::add(double value, unsigned __int128 count) {
  if (value <= 0 || count == 0) return;
  if (number_.empty()) {
    const double units = value * 0x1p32;
    unsigned __int128 more = 0;
    if (units < 0x1p63 && units == std::floor(units) &&
        !__builtin_mul_overflow(static_cast<unsigned __int128>(units), count, &more) &&
        !__builtin_add_overflow(short_, more, &more)) {
      short_ = more;
      return;
    }
    lengthen();
  }
  add_long(value, count);
}

void ExactSum::lengthen() {
  if (!number_.empty()) return;
  number_.assign(digits, 0);
  add_long(0x1p-32, std::exchange(short_, 0));
}

bool operator==(const ExactSum& a, const ExactSum& b) {
  if (a.number_.empty() == b.number_.empty()) return a.short_ == b.short_ && a.number_ == b.number_;
  ExactSum long_a = a, long_b = b;
  long_a.lengthen();
  long_b.lengthen();
  return long_a.number_ == long_b.number_;
}

void ExactSum::add_long(double value, unsigned __int128 count) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const int last_bit = std::max(exponent - 53, lowest_exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, exponent - last_bit));
  const auto shift = static_cast<unsigned>(last_bit - lowest_exponent);
  // mantissa < 2^53, a digit of the count < 2^32, a shift within a digit < 2^32: their product takes four digits.
  for (std::size_t i = 0; i < 4; ++i) {
    const auto part = static_cast<std::uint32_t>(count >> (32 * i));
    if (part == 0) continue;
    unsigned __int128 product = static_cast<unsigned __int128>(mantissa) * part << (shift % 32);
    for (std::size_t digit = shift / 32 + i; product != 0; ++digit, product >>= 32) {
      add_at(digit, static_cast<std::uint32_t>(product));
    }
  }
}

double ExactSum::rounded() const {
  if (!number_.empty()) return rounded_long();
  // As below, with a last bit that sticks.
  int shift = 0;
  unsigned __int128 rest = short_;
  bool is_cut = false;
  for (; rest >> 62 != 0; rest >>= 1, ++shift) is_cut = is_cut || (rest & 1) != 0;
  return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(rest) | (is_cut ? 1 : 0)), shift - 32);
}

double ExactSum::rounded_long() const {
  std::size_t top = digits;
  while (top > 0 && number_[top - 1] == 0) --top;
  if (top == 0) return 0;
  // The first 64 bits from the highest digit that counts on; whatever is below is kept in a last bit that sticks.
  unsigned __int128 leading = 0;
  const std::size_t bottom = top >= 3 ? top - 3 : 0;
  for (std::size_t i = top; i > bottom; --i) leading = leading << 32 | number_[i - 1];
  bool rest = false;
  for (std::size_t i = 0; i < bottom; ++i) rest = rest || number_[i] != 0;
  int exponent = lowest_exponent + 32 * static_cast<int>(bottom);
  while (leading >> 62 != 0) {
    rest = rest || (leading & 1) != 0;
    leading >>= 1;
    ++exponent;
  }
  auto bits = static_cast<std::uint64_t>(leading);
  if (rest) bits |= 1;  // 62 bits are more than 54: it only decides a tie
  // Below 2^-1022 every bit is exact, so nothing is rounded twice.
  return std::ldexp(static_cast<double>(bits), exponent);
}

double divide(__int128 dividend, std::uint64_t divisor) {
  if (dividend == 0) return 0;
  unsigned __int128 rest = static_cast<unsigned __int128>(dividend < 0 ? -dividend : dividend);
  int shift = 0;
  for (; rest >> 126 == 0; ++shift) rest <<= 1;
  unsigned __int128 quotient = rest / divisor;  // 63 bits or more, of which a double has 53
  if (rest % divisor != 0) quotient |= 1;       // it only decides a tie
  const double magnitude = std::ldexp(static_cast<double>(quotient), -shift);
  return dividend < 0 ? -magnitude : magnitude;
}

}  // namespace wave::backend::processes
