// The one definition of arithmetic. Constant folding, the evaluator and the JIT's host functions call these
// functions, and the JIT's instructions mirror them. A result is a value or the kind of failure; nothing traps.
#pragma once

#include "ir/failure.h"
#include "ir/scalar.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace wave::ir::arithmetic {

template <class T>
struct Result {
  T value{};
  bool failed = false;
  FailureKind kind{};

  Result(T value) : value(value) {}
  Result(FailureKind kind) : failed(true), kind(kind) {}
};

// A NaN has many bit patterns, which no operation of the language tells apart. Results show this one.
inline double canonical(double x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x; }

// --- integers: 64 bits, overflow fails ---

inline Result<std::int64_t> add(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (__builtin_add_overflow(a, b, &r)) return FailureKind::integer_overflow;
  return r;
}

inline Result<std::int64_t> subtract(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (__builtin_sub_overflow(a, b, &r)) return FailureKind::integer_overflow;
  return r;
}

inline Result<std::int64_t> multiply(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) return FailureKind::integer_overflow;
  return r;
}

inline Result<std::int64_t> negate(std::int64_t a) { return subtract(0, a); }

inline Result<std::int64_t> absolute(std::int64_t a) { return a < 0 ? negate(a) : Result<std::int64_t>(a); }

inline Result<std::int64_t> floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return FailureKind::division_by_zero;
  if (b == -1) return negate(a);
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// The remainder of floor division: zero or of the divisor's sign.
inline Result<std::int64_t> modulo(std::int64_t a, std::int64_t b) {
  if (b == 0) return FailureKind::division_by_zero;
  if (b == -1) return std::int64_t{0};
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// Repeated squaring, with 0 ^ 0 = 1. It fails only if the power itself overflows.
inline Result<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return FailureKind::negative_exponent;
  std::int64_t result = 1;
  while (exponent > 0) {
    if (exponent & 1) {
      const auto product = multiply(result, base);
      if (product.failed) return product.kind;
      result = product.value;
    }
    exponent >>= 1;
    if (exponent > 0) {
      const auto square = multiply(base, base);
      if (square.failed) return square.kind;
      base = square.value;
    }
  }
  return result;
}

// --- reals: IEEE doubles, to nearest; NaN and infinities are values ---

inline Result<double> divide(double a, double b) {
  if (b == 0) return FailureKind::division_by_zero;
  return a / b;
}

inline Result<double> floor_divide(double a, double b) {
  if (b == 0) return FailureKind::division_by_zero;
  return std::floor(a / b);
}

// Exact (fmod), except for the one addition that gives it the divisor's sign; a zero has that sign too.
inline Result<double> modulo(double a, double b) {
  if (b == 0) return FailureKind::division_by_zero;
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// Whole exponents up to this magnitude are computed by repeated squaring (so x ^ 2 is x * x), larger ones by libm.
inline constexpr double largest_squared_exponent = 64;

inline double power_by_squaring(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

// x ^ 0 is 1, and a negative whole exponent gives 1 / x ^ -e. Zero to a negative power, and a negative number to a
// fractional one, are outside the domain.
inline Result<double> power(double base, double exponent) {
  if (base == 0 && exponent < 0) return FailureKind::outside_domain;
  if (std::fabs(exponent) <= largest_squared_exponent && exponent == std::trunc(exponent)) {
    const int whole = static_cast<int>(exponent);
    return whole < 0 ? 1.0 / power_by_squaring(base, -whole) : power_by_squaring(base, whole);
  }
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) && exponent != std::trunc(exponent)) {
    return FailureKind::outside_domain;
  }
  return std::pow(base, exponent);
}

inline Result<double> square_root(double x) {
  if (x < 0) return FailureKind::outside_domain;
  return std::sqrt(x);
}

// `whole` is a whole number, an infinity or NaN already.
inline Result<std::int64_t> whole_to_integer(double whole) {
  if (!(whole >= -0x1p63 && whole < 0x1p63)) return FailureKind::not_representable;
  return static_cast<std::int64_t>(whole);
}
inline Result<std::int64_t> floor(double x) { return whole_to_integer(std::floor(x)); }
inline Result<std::int64_t> ceil(double x) { return whole_to_integer(std::ceil(x)); }
inline Result<std::int64_t> round(double x) { return whole_to_integer(std::round(x)); }  // halves go away from zero
inline Result<std::int64_t> to_integer(double x) {
  if (std::isfinite(x) && x != std::trunc(x)) return FailureKind::not_whole;
  return whole_to_integer(x);
}

// Rounds a weight to the quantum: to the nearest multiple, ties to even, and -0 becomes 0. Quantum 0 stands for "no
// rounding". The quotient is exact (or far below a half), since a quantum is a power of two and |weight| < 2^52 quanta.
inline double round_to(double weight, double quantum) {
  return quantum == 0 ? weight + 0.0 : std::nearbyint(weight / quantum) * quantum + 0.0;
}
// The least power of two q with |bound| < 2^52 q, but at least 2^-1022. It is 2^-52 for 0, and 0 for a bound that is
// not below 2^1000.
inline double quantum_of(double bound) {
  constexpr std::uint64_t largest = 1000 + 1022, mantissa_bits = 52;  // the range of exponents, as doubles hold them
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(bound) >> mantissa_bits) & 0x7ff;
  if (bound == 0) return 0x1p-52;
  if (exponent > largest) return 0;
  return std::bit_cast<double>((exponent > mantissa_bits ? exponent - (mantissa_bits - 1) : 1) << mantissa_bits);
}

inline Result<double> quantize(double weight, double quantum) {
  if (!std::isfinite(weight)) return FailureKind::weight_not_finite;
  return round_to(weight, quantum);
}

// --- integers or reals: both operands have one type ---

template <class T>
T maximum(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T minimum(T a, T b) {
  return a < b ? a : b;
}

inline Scalar maximum(Scalar a, Scalar b) {
  return a.type == ScalarType::real ? Scalar::of(maximum(a.real, b.real)) : Scalar::of(maximum(a.integer, b.integer));
}
inline Scalar minimum(Scalar a, Scalar b) {
  return a.type == ScalarType::real ? Scalar::of(minimum(a.real, b.real)) : Scalar::of(minimum(a.integer, b.integer));
}

// Whether the values have the same bits. This is not the language's `==`: NaN equals NaN, and 0 differs from -0.
inline bool same_bits(Scalar a, Scalar b) {
  if (a.type != b.type) return false;
  switch (a.type) {
    case ScalarType::real:
      return std::bit_cast<std::uint64_t>(canonical(a.real)) == std::bit_cast<std::uint64_t>(canonical(b.real));
    case ScalarType::integer: return a.integer == b.integer;
    case ScalarType::boolean: return a.boolean == b.boolean;
  }
  return false;
}

// Every operator except `quantize`. That needs the quantum of an event's group, and here only checks its operand and
// drops the sign of 0.
Result<Scalar> unary(UnaryOp op, Scalar operand);
// Both operands have been evaluated, so `and` and `or` have no shortcut here.
Result<Scalar> binary(BinaryOp op, Scalar left, Scalar right);

}  // namespace wave::ir::arithmetic
