// The one definition of arithmetic.
#include "ir/arithmetic.h"

#include "ir/operations.h"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace wave::ir;
namespace a = wave::ir::arithmetic;

namespace {
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
bool fails(a::Result<T> result, FailureKind kind) {
  return result.failed && result.kind == kind;
}
}  // namespace

TEST_CASE("integer overflow fails") {
  CHECK(fails(a::add(most, 1), FailureKind::integer_overflow));
  CHECK(fails(a::subtract(least, 1), FailureKind::integer_overflow));
  CHECK(fails(a::multiply(most, 2), FailureKind::integer_overflow));
  CHECK(fails(a::negate(least), FailureKind::integer_overflow));
  CHECK(fails(a::absolute(least), FailureKind::integer_overflow));
  CHECK(fails(a::floor_divide(least, std::int64_t{-1}), FailureKind::integer_overflow));
  CHECK(a::modulo(least, std::int64_t{-1}).value == 0);
}

TEST_CASE("floor division and modulo: the remainder has the divisor's sign") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const auto x = static_cast<std::int64_t>(random() % 41) - 20, y = static_cast<std::int64_t>(random() % 21) - 10;
    if (y == 0) {
      CHECK(fails(a::floor_divide(x, y), FailureKind::division_by_zero));
      CHECK(fails(a::modulo(x, y), FailureKind::division_by_zero));
      continue;
    }
    const auto quotient = a::floor_divide(x, y).value, remainder = a::modulo(x, y).value;
    REQUIRE(quotient * y + remainder == x);
    REQUIRE((remainder == 0 || (remainder < 0) == (y < 0)));
    REQUIRE(std::abs(remainder) < std::abs(y));
    REQUIRE(a::floor_divide(double(x), double(y)).value == double(quotient));
    REQUIRE(a::modulo(double(x), double(y)).value == double(remainder));
  }
}

TEST_CASE("integer powers overflow only where the power itself does") {
  CHECK(a::power(std::int64_t{3}, std::int64_t{4}).value == 81);
  CHECK(a::power(std::int64_t{0}, std::int64_t{0}).value == 1);
  CHECK(a::power(std::int64_t{2}, std::int64_t{62}).value == std::int64_t{1} << 62);
  CHECK(a::power(std::int64_t{-2}, std::int64_t{63}).value == least);
  CHECK(fails(a::power(std::int64_t{2}, std::int64_t{63}), FailureKind::integer_overflow));
  CHECK(a::power(std::int64_t{1}, most).value == 1);
  CHECK(a::power(std::int64_t{-1}, most).value == -1);
  CHECK(fails(a::power(std::int64_t{2}, std::int64_t{-1}), FailureKind::negative_exponent));
}

TEST_CASE("real powers: whole exponents are products") {
  const double x = 1.1;
  CHECK(a::power(x, 2.0).value == x * x);
  CHECK(a::power(x, 3.0).value == x * (x * x));
  CHECK(a::power(x, -2.0).value == 1 / (x * x));
  CHECK(a::power(x, 0.0).value == 1);
  CHECK(a::power(not_a_number, 0.0).value == 1);
  CHECK(a::power(-2.0, 3.0).value == -8);
  CHECK(a::power(2.0, 0.5).value == std::pow(2.0, 0.5));
  CHECK(fails(a::power(0.0, -1.0), FailureKind::outside_domain));
  CHECK(fails(a::power(-1.0, 0.5), FailureKind::outside_domain));
}

TEST_CASE("rounding to integers fails outside 64 bits") {
  CHECK(a::round(2.5).value == 3);
  CHECK(a::round(-2.5).value == -3);
  CHECK(a::floor(-0.5).value == -1);
  CHECK(a::ceil(-0.5).value == 0);
  CHECK(a::floor(-0x1p63).value == least);
  CHECK(fails(a::floor(0x1p63), FailureKind::not_representable));
  CHECK(fails(a::round(not_a_number), FailureKind::not_representable));
  CHECK(fails(a::to_integer(1.5), FailureKind::not_whole));
  CHECK(fails(a::to_integer(infinity), FailureKind::not_representable));
}

TEST_CASE("roots: only the cube root takes negative numbers") {
  CHECK(fails(a::square_root(-1), FailureKind::outside_domain));
  const auto cube_root = [](double x) {
    return a::unary(wave::ir::UnaryOp::cube_root, wave::ir::Scalar::of(x)).value.real;
  };
  CHECK(cube_root(-27) == Approx(-3));
  CHECK(std::signbit(cube_root(-0.0)));
  CHECK(cube_root(-infinity) == -infinity);
}

TEST_CASE("division by either zero fails, infinities and NaN are values") {
  CHECK(fails(a::divide(1.0, 0.0), FailureKind::division_by_zero));
  CHECK(fails(a::divide(1.0, -0.0), FailureKind::division_by_zero));
  CHECK(a::divide(infinity, 2).value == infinity);
  CHECK(std::isnan(a::divide(not_a_number, 2).value));
}

TEST_CASE("the maximum of a tie or a NaN is the right operand") {
  CHECK(std::signbit(a::maximum(0.0, -0.0)));
  CHECK(a::maximum(not_a_number, 1.0) == 1.0);
  CHECK(std::isnan(a::maximum(1.0, not_a_number)));
}

TEST_CASE("a weight on the quantum is the nearest multiple, ties to even, and never -0") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 100'000; ++round) {
    const double quantum = std::ldexp(1.0, static_cast<int>(random() % 80) - 40);
    const double weight =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 60) - 75) *
        quantum;
    const double rounded = a::round_to(weight, quantum);
    REQUIRE(std::fabs(rounded - weight) <= quantum / 2);
    REQUIRE(rounded / quantum == std::nearbyint(rounded / quantum));
  }
  CHECK(a::round_to(0.5, 1) == 0);
  CHECK(a::round_to(1.5, 1) == 2);
  CHECK(a::round_to(0x1.8p51 + 1, 1) == 0x1.8p51 + 1);
  CHECK(a::round_to(0x1.fffffffffffffp52, 1) == 0x1.fffffffffffffp52);
  CHECK(!std::signbit(a::round_to(-0.25, 1)));
  CHECK(!std::signbit(a::round_to(-0.0, 0)));
  CHECK(a::round_to(1e300, 0x1p945) > 0);
  CHECK(a::round_to(0x1p-1074, 0x1p-1022) == 0);
  CHECK(fails(a::quantize(not_a_number, 1), FailureKind::weight_not_finite));
}
