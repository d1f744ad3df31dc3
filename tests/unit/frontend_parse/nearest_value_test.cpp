// Checks exactly that literals are nearest values, by their midpoints to both neighbours in big integers.
#include "frontend/parse/units.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

using namespace wave::frontend;
using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

namespace {

cpp_rational exact(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  cpp_rational result(cpp_int(static_cast<long long>(std::ldexp(mantissa, 53))));
  const int shift = exponent - 53;
  const cpp_rational power(cpp_int(1) << static_cast<unsigned>(std::abs(shift)));
  return shift >= 0 ? cpp_rational(result * power) : cpp_rational(result / power);
}

// digits * 10^exponent, times the unit.
cpp_rational exact(const std::string& digits, int exponent, const Unit& unit) {
  cpp_rational result{cpp_int(digits)};
  const auto scale = [&](cpp_rational factor, int power) {
    for (int i = 0; i < std::abs(power); ++i)
      result = power > 0 ? cpp_rational(result * factor) : cpp_rational(result / factor);
  };
  scale(10, exponent);
  for (const auto& [name, power] : unit.factors) {
    scale(cpp_rational(cpp_int(find_unit(name.text)->mantissa)), power);
    scale(10, find_unit(name.text)->exponent * power);
  }
  return result;
}

// Whether no double is nearer to `wanted` than `found`, and on a tie the last bit of `found` is 0.
bool is_nearest(const cpp_rational& wanted, double found) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double below = std::nextafter(found, -infinity), above = std::nextafter(found, infinity);
  const cpp_rational half(1, 2);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &found, sizeof bits);
  const bool even = (bits & 1) == 0;
  if (std::isfinite(above)) {
    const cpp_rational middle = (exact(found) + exact(above)) * half;
    if (wanted > middle || (wanted == middle && !even)) return false;
  }
  const cpp_rational middle = (exact(found) + exact(below)) * half;
  return wanted > middle || (wanted == middle && even);
}

Unit unit_of(std::vector<std::pair<std::string, int>> factors) {
  Unit unit;
  for (auto& [name, power] : factors) unit.factors.push_back({{name, {}}, power});
  return unit;
}

}  // namespace

TEST_CASE("random literals are the nearest doubles") {
  const unsigned seed = 20240229;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::vector<Unit> units = {unit_of({}), unit_of({{"us", 1}, {"B", -1}}), unit_of({{"GiB", 1}, {"h", -1}}),
                                   unit_of({{"bit", 3}, {"min", -2}}), unit_of({{"KiB", -9}, {"s", 2}})};
  for (int i = 0; i < 3000; ++i) {
    std::string digits;
    const int count = 1 + static_cast<int>(random() % 40);
    for (int k = 0; k < count; ++k) digits += static_cast<char>('0' + random() % 10);
    digits[0] = static_cast<char>('1' + random() % 9);
    const int exponent = static_cast<int>(random() % 600) - 345;
    const Unit& unit = units[random() % units.size()];
    const auto found = nearest_value(digits + "e" + std::to_string(exponent), &unit);
    const cpp_rational wanted = exact(digits, exponent, unit);
    CAPTURE(digits, exponent);
    if (found)
      REQUIRE((*found == 0 ? wanted * cpp_rational(cpp_int(1) << 1075) <= 1 : is_nearest(wanted, *found)));
    else
      REQUIRE(wanted > exact(std::numeric_limits<double>::max()));
  }
}

TEST_CASE("ties go to the even neighbour, and the last digit decides beside them") {
  CHECK(nearest_value("9007199254740993", nullptr) == 9007199254740992.0);
  CHECK(nearest_value("9007199254740993.0000000000000000000000000001", nullptr) == 9007199254740994.0);
  CHECK(nearest_value("9007199254740995", nullptr) == 9007199254740996.0);
  CHECK(nearest_value("9007199254740994.9999999999999999999", nullptr) == 9007199254740994.0);
  const std::string zeros(5000, '0');
  CHECK(nearest_value("9007199254740993." + zeros + "1", nullptr) == 9007199254740994.0);
  CHECK(nearest_value("9007199254740993" + zeros + "e-5000", nullptr) == 9007199254740992.0);
  CHECK(nearest_value("0." + zeros + "1e5001", nullptr) == 1.0);
}

TEST_CASE("subnormal numbers and the ends of the range are exact") {
  CHECK(nearest_value("4.9406564584124654e-324", nullptr) == std::numeric_limits<double>::denorm_min());
  CHECK(nearest_value("2.4703282292062327e-324", nullptr) == 0.0);
  CHECK(nearest_value("2.4703282292062328e-324", nullptr) == std::numeric_limits<double>::denorm_min());
  CHECK(nearest_value("2.2250738585072011e-308", nullptr) == std::strtod("2.2250738585072011e-308", nullptr));
  CHECK(nearest_value("2.2250738585072014e-308", nullptr) == std::numeric_limits<double>::min());
  CHECK(nearest_value("1.7976931348623157e308", nullptr) == std::numeric_limits<double>::max());
  CHECK(nearest_value("1.7976931348623158e308", nullptr) == std::numeric_limits<double>::max());
  CHECK(!nearest_value("1.7976931348623159e308", nullptr));
  CHECK(!nearest_value("1e400000", nullptr));
  CHECK(nearest_value("1e-400000", nullptr) == 0.0);
  CHECK(nearest_value("0e999999999", nullptr) == 0.0);
}

TEST_CASE("plain decimals agree with strtod") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 5000; ++i) {
    double value = 0;
    const std::uint64_t bits = random() & 0x7FFFFFFFFFFFFFFF;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(random() % 20), value);
    const double expected = std::strtod(text, nullptr);
    CAPTURE(text);
    if (std::isfinite(expected))
      REQUIRE(nearest_value(text, nullptr) == expected);
    else
      REQUIRE(!nearest_value(text, nullptr));
  }
}
