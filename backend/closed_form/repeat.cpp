// Periods are made equal by counting several as one.
#include "backend/closed_form/repeat.h"

#include "backend/closed_form/thresholds.h"
#include "ir/operations.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace wave::backend::closed_form {

namespace {

std::optional<std::int64_t> common(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b / std::gcd(a, b), &result) || result > longest_period) return std::nullopt;
  return result;
}

std::optional<Repeat> stretched(Repeat x, std::int64_t period) {
  const std::int64_t factor = period / x.period;
  if (__builtin_mul_overflow(x.step, factor, &x.step)) return std::nullopt;
  x.real_step *= static_cast<double>(factor);
  x.period = period;
  return x;
}

}  // namespace

double lowest_bit(double x) {
  if (x == 0 || !std::isfinite(x)) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(x), &exponent);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
  return std::ldexp(1.0, exponent - 53 + std::countr_zero(whole));
}

std::optional<Repeat> stretched_by(const Repeat& x, std::int64_t factor) {
  const auto period = common(x.period, x.period * factor);
  return period ? stretched(x, *period) : std::nullopt;
}

std::optional<Repeat> with_period_of(const Repeat& x, const Repeat& other) {
  const auto period = common(other.period, x.period);
  return period ? stretched(x, *period) : std::nullopt;
}

std::optional<RepeatPair> paired(const Repeat& a, const Repeat& b) {
  const auto left = with_period_of(a, b), right = with_period_of(b, a);
  return left && right ? std::optional(RepeatPair{*left, *right}) : std::nullopt;
}

std::optional<Repeat> whole_sum(ir::BinaryOp op, const Repeat& a, const Repeat& b) {
  const auto both = paired(a, b);
  if (!both) return std::nullopt;
  std::int64_t step = 0;
  const bool overflows = op == ir::BinaryOp::add ? __builtin_add_overflow(both->left.step, both->right.step, &step)
                                                 : __builtin_sub_overflow(both->left.step, both->right.step, &step);
  return overflows ? std::nullopt : std::optional(Repeat{both->period(), step, 0, 0});
}

std::optional<Repeat> rounded_quotient(const Repeat& dividend, std::int64_t divisor) {
  const std::int64_t size = std::abs(divisor), step = static_cast<std::int64_t>(dividend.real_step);
  const auto x = stretched_by(dividend, size / std::gcd(size, step));
  if (!x) return std::nullopt;
  return Repeat{x->period, static_cast<std::int64_t>(x->real_step) / divisor, 0, 0};
}

}  // namespace wave::backend::closed_form
