// How a scalar repeats along an index, and what follows for sums, quotients and pairs of scalars.
#pragma once

#include "ir/scalar.h"

#include <cstdint>
#include <optional>

namespace wave::backend::closed_form {

struct Repeat {
  std::int64_t period = 1;
  std::int64_t step = 0;  // of a whole number, per period
  double real_step = 0;   // of a real
  double granularity = 0;
  bool only_repeats() const { return step == 0 && real_step == 0; }
};

// Two of them with their common period.
struct RepeatPair {
  Repeat left, right;
  std::int64_t period() const { return left.period; }
  bool move_alike() const { return left.step == right.step && left.real_step == right.real_step; }
};

// The largest power of two that the number is a multiple of; 0 for 0 and what is not finite.
double lowest_bit(double x);

// All that follow give nothing where a period would be too long, or a step overflows.

// The same, seen as a repetition of a multiple of its period: of so many, or of the one that both have in common.
[[nodiscard]] std::optional<Repeat> stretched_by(const Repeat& x, std::int64_t factor);
[[nodiscard]] std::optional<Repeat> with_period_of(const Repeat& x, const Repeat& other);
[[nodiscard]] std::optional<RepeatPair> paired(const Repeat& a, const Repeat& b);

// Of whole numbers that are added or subtracted.
[[nodiscard]] std::optional<Repeat> whole_sum(ir::BinaryOp op, const Repeat& a, const Repeat& b);

// floor or ceil of a quotient of whole numbers: that of the exact quotient. One that is no whole number is away from
// the next by 1 / |divisor| at least, more than half a unit in the last place while the dividend is below 2^53.
[[nodiscard]] std::optional<Repeat> rounded_quotient(const Repeat& dividend, std::int64_t divisor);

}  // namespace wave::backend::closed_form
