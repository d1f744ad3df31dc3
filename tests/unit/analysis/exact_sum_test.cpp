// Sums that round once.
#include "backend/processes/program/exact_sum.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using wave::backend::processes::ExactSum;

namespace {

double sum(std::initializer_list<double> values) {
  ExactSum total;
  for (const double value : values) total.add(value);
  return total.rounded();
}

}  // namespace

TEST_CASE("an exact sum of one number is that number") {
  for (const double x : {0.0, 1.0, 0.1, 1e300, 5e-324, std::numeric_limits<double>::max(), 4800.0, 1.0 / 3}) {
    CHECK(sum({x}) == x);
  }
}

TEST_CASE("a quotient rounds once") {
  using wave::backend::processes::divide;
  CHECK(divide(0, 3) == 0);
  CHECK(divide(10, 4) == 2.5);
  CHECK(divide(-10, 4) == -2.5);
  CHECK(divide(1, 3) == 1.0 / 3);
  // In the middle between two doubles, and past the middle by less than a rounded dividend would show.
  const __int128 large = (__int128{1} << 53) + 1;
  CHECK(divide(large * 3, 3) == 0x1p53);
  CHECK(divide((large << 40) + 1, std::uint64_t{1} << 40) == 0x1p53 + 2);
  CHECK(divide((__int128{1} << 114) - 1, (std::uint64_t{1} << 62) - 1) == 0x1p52);
}

TEST_CASE("an exact sum rounds once, to even") {
  CHECK(sum({1, 0x1p-53}) == 1);
  CHECK(sum({1, 0x1p-53, 0x1p-200}) == 1 + 0x1p-52);
  CHECK(sum({1 + 0x1p-52, 0x1p-53}) == 1 + 0x1p-51);
  CHECK(sum({0x1p-53, 0x1p-53, 1}) == 1 + 0x1p-52);
}

TEST_CASE("an exact sum of many equal numbers is their product") {
  ExactSum total;
  total.add(4800, static_cast<unsigned __int128>(1) << 90);
  CHECK(total.rounded() == std::ldexp(4800, 90));
  ExactSum halves;
  halves.add(0.1, 10);
  CHECK(halves.rounded() == 1.0);
}

TEST_CASE("an exact sum beyond the largest double is infinite") {
  const double most = std::numeric_limits<double>::max();
  CHECK(std::isinf(sum({most, most})));
}
