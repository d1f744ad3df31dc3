// Decimal numbers of bounded length. See quantities.h.
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wave::frontend {
namespace {

constexpr double largest_plain = 1e15;
constexpr double smallest_plain = 1e-4;
// Decimals of a column: more would only show the grid of doubles.
constexpr int most_decimals = 9;

int decimal_exponent(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

// Whether the written number is the value, apart from the rounding of arithmetic.
bool says_all(const std::string& number, double value) {
  return std::abs(std::strtod(number.c_str(), nullptr) - value) <= 1e-12 * std::abs(value);
}

std::string with_decimals(double value, int decimals) {
  const std::string number = fmt::format("{:.{}f}", value, decimals);
  return says_all(number, value) ? without_trailing_zeros(number) : number;
}

}  // namespace

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (value == 0) return "0";
  if (std::abs(value) >= largest_plain || std::abs(value) < smallest_plain) {
    return fmt::format("{:.{}e}", value, digits - 1);
  }
  return with_decimals(value, std::max(0, digits - 1 - decimal_exponent(value)));
}

std::string format_decimals(double value, int decimals) {
  return decimals < 0 ? format_number(value, 6) : fmt::format("{:.{}f}", value, decimals);
}

int common_decimals(const std::vector<double>& values, int digits) {
  double smallest = 0, largest = 0;
  for (const double value : values) {
    const double size = std::abs(value);
    if (size == 0 || !std::isfinite(size)) continue;
    smallest = smallest == 0 ? size : std::min(smallest, size);
    largest = std::max(largest, size);
  }
  if (smallest == 0) return 0;
  if (largest >= largest_plain || decimal_exponent(smallest) < digits - 1 - most_decimals) return -1;
  const int wanted = std::max(0, digits - 1 - decimal_exponent(smallest));
  int needed = 0;
  for (const double value : values) {
    const std::string number = with_decimals(value, wanted);
    const auto point = number.find('.');
    if (point != std::string::npos) needed = std::max(needed, static_cast<int>(number.size() - point - 1));
  }
  return needed;
}

}  // namespace wave::frontend
