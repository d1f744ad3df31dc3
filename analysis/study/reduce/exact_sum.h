// Sums of doubles without rounding: the same bits in whatever order, and in whatever parts, the values are added.
#pragma once

#include "base/bytes.h"

#include <cstdint>
#include <vector>

namespace wave::analysis {

// A sum in fixed point. Its limbs reach from the lowest bit to the highest that was added, so a sum of like values
// takes few bytes.
class ExactSum {
 public:
  // Infinities are counted apart. Not NaN.
  void add(double value);
  void add(std::int64_t value);
  void add(const ExactSum& other);

  // The sum divided by `count`, rounded once, to the nearest double, ties to even. NaN where both infinities were
  // added.
  double over(std::uint64_t count) const;
  double value() const { return over(1); }

  // Equal sums have equal bytes. False: these are no sum.
  void write(ByteWriter& writer) const;
  bool read(ByteReader& reader);

 private:
  struct Magnitude {
    bool is_negative = false;
    int first = 0;                     // the lowest bit of the first limb is 2^(32 first - 1074)
    std::vector<std::uint32_t> limbs;  // the lowest first, without zeros at either end
  };
  Magnitude magnitude() const;
  void add_limb(int at, std::int64_t limb);
  void carry();

  std::vector<std::int64_t> limbs_;  // 32 bits each, which may overflow until they are carried
  int first_ = 0;
  std::uint32_t added_ = 0;  // since limbs were carried
  std::uint64_t infinite_ = 0, minus_infinite_ = 0;
};

}  // namespace wave::analysis
