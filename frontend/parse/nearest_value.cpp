// Decimal literals to doubles, exactly: the literal and its unit are a fraction of big integers, which is
// rounded once.
#include "frontend/parse/units.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>

namespace wave::frontend {

namespace {

using boost::multiprecision::cpp_int;

struct Decimal {
  cpp_int digits;
  long exponent = 0;  // digits * 10^exponent
};

// No double, and no midpoint between two, has more significant digits than 767 (subnormals included), so what
// follows them only says whether the value is above: one sticky digit stands for it. Units may shift a
// midpoint by a few binary factors, hence the margin.
constexpr std::size_t significant_digits = 1500;
constexpr long largest_decimal_exponent = 100000;

long read_exponent(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  long value = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') value = std::min(value * 10 + (c - '0'), largest_decimal_exponent * 10);
  }
  return negative ? -value : value;
}

Decimal read_decimal(std::string_view text) {
  Decimal result;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) result.exponent = read_exponent(text.substr(e + 1));
  std::string digits;
  bool after_point = false, sticky = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    if (digits.empty() && c == '0') {  // a leading zero
      result.exponent -= after_point ? 1 : 0;
    } else if (digits.size() < significant_digits) {
      digits += c;
      result.exponent -= after_point ? 1 : 0;
    } else {
      sticky |= c != '0';
      result.exponent += after_point ? 0 : 1;
    }
  }
  if (sticky) {
    digits += '1';
    --result.exponent;
  }
  result.digits = digits.empty() ? cpp_int(0) : cpp_int(digits);
  return result;
}

// numerator / denominator to the nearest double, ties to even.
double round_fraction(cpp_int numerator, cpp_int denominator) {
  constexpr int lowest_bit = -1074;
  const long order = static_cast<long>(msb(numerator)) - static_cast<long>(msb(denominator));
  const long shift = 56 - order;  // the quotient has 56 or 57 bits
  if (shift >= 0)
    numerator <<= static_cast<unsigned>(shift);
  else
    denominator <<= static_cast<unsigned>(-shift);
  cpp_int quotient, remainder;
  divide_qr(numerator, denominator, quotient, remainder);
  const auto bits = quotient.convert_to<std::uint64_t>();
  const long top = static_cast<long>(msb(quotient)) - shift;
  const long last = std::max<long>(top - 52, lowest_bit);
  const long dropped = last + shift;
  if (dropped > 60) return 0;  // less than half of the smallest double
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = bits & (2 * half - 1);
  std::uint64_t kept = bits >> dropped;
  if (rest > half || (rest == half && (remainder != 0 || (kept & 1) != 0))) ++kept;
  return std::ldexp(static_cast<double>(kept), static_cast<int>(last));
}

cpp_int power_of_ten(long exponent) { return pow(cpp_int(10), static_cast<unsigned>(exponent)); }

}  // namespace

std::optional<double> nearest_value(std::string_view number, const Unit* unit) {
  Decimal decimal = read_decimal(number);
  if (decimal.digits == 0) return 0.0;
  cpp_int numerator = decimal.digits, denominator = 1;
  if (unit != nullptr) {
    for (const auto& [name, exponent] : unit->factors) {
      const UnitInfo* info = find_unit(name.text);
      const cpp_int factor = pow(cpp_int(info->mantissa), static_cast<unsigned>(std::abs(exponent)));
      (exponent > 0 ? numerator : denominator) *= factor;
      decimal.exponent += static_cast<long>(info->exponent) * exponent;
    }
  }
  // Far outside the range of doubles, before the powers become expensive.
  const auto size = static_cast<long>(msb(numerator)) * 3 / 10 - static_cast<long>(msb(denominator)) * 3 / 10;
  if (size + decimal.exponent > 400) return std::nullopt;
  if (size + decimal.exponent < -2000) return 0.0;
  if (decimal.exponent >= 0)
    numerator *= power_of_ten(decimal.exponent);
  else
    denominator *= power_of_ten(-decimal.exponent);
  const double value = round_fraction(std::move(numerator), std::move(denominator));
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace wave::frontend
