// See quantity_reader.h.
#include "frontend/parse/quantity_reader.h"

#include "frontend/parse/units.h"
#include "frontend/source/diagnostics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace wave::frontend {

namespace {

// The powers of ten that a double holds exactly.
constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int largest_power = static_cast<int>(powers_of_ten.size()) - 1;
constexpr std::size_t most_plain_digits = 15;  // always less than 2^53
constexpr std::size_t longest_usual_number = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The parts of `12.5e-3`. `is_number` is false if the text is no number.
struct ShortDecimal {
  std::uint64_t digits = 0;  // of the mantissa, if there are few
  std::size_t count = 0;     // of digits
  std::size_t after_point = 0;
  std::size_t mantissa_size = 0;  // characters
  int exponent = 0;               // as written, but clamped far outside the range of doubles
  bool is_number = false;
};

ShortDecimal take_apart(std::string_view text) {
  ShortDecimal result;
  std::size_t at = 0;
  bool point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    if (result.count < most_plain_digits)
      result.digits = result.digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
    ++result.count;
    if (point) ++result.after_point;
  }
  result.mantissa_size = at;
  if (result.count == 0) return result;
  if (at == text.size()) {
    result.is_number = true;
    return result;
  }
  if (text[at] != 'e' && text[at] != 'E') return result;
  const bool negative = ++at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at == text.size()) return result;
  constexpr int most = 1'000'000;
  for (; at < text.size(); ++at) {
    if (!is_digit(text[at])) return result;
    result.exponent = std::min(most, result.exponent * 10 + (text[at] - '0'));
  }
  if (negative) result.exponent = -result.exponent;
  result.is_number = true;
  return result;
}

// Takes the powers of ten and two out of a positive number, and returns what is left.
std::uint64_t take_powers(std::uint64_t number, int sign, int& tens, int& twos) {
  for (; number % 10 == 0; number /= 10) tens += sign;
  for (; number % 2 == 0; number /= 2) twos += sign;
  // 125 = 10^3 / 2^3.
  for (; number % 5 == 0; number /= 5) {
    tens += sign;
    twos -= sign;
  }
  return number;
}

}  // namespace

QuantityReader::QuantityReader(std::optional<Unit> unit, char decimal, bool are_units_in_cells)
    : unit_(std::move(unit)), decimal_(decimal), are_units_in_cells_(are_units_in_cells) {
  if (!unit_) return;
  for (const auto& [name, exponent] : unit_->factors) {
    const UnitInfo* const info = find_unit(name.text);
    for (int i = 0; i < std::abs(exponent); ++i) {
      const int sign = exponent > 0 ? 1 : -1;
      if (take_powers(info->mantissa, sign, tens_, twos_) != 1) is_simple_ = false;
      tens_ += sign * info->exponent;
    }
  }
}

// Reads a number after shifting its decimal exponent by that of the unit. The powers of two are exact unless the result
// is tiny or huge.
std::optional<double> QuantityReader::read_shifted(std::string_view text) const {
  const ShortDecimal decimal = take_apart(text);
  const int exponent = decimal.exponent + tens_;
  double value = 0;
  const int scale = exponent - static_cast<int>(std::min<std::size_t>(decimal.after_point, 10000));
  if (decimal.count <= most_plain_digits && std::abs(scale) <= largest_power) {
    const auto digits = static_cast<double>(decimal.digits);
    const double power = powers_of_ten[static_cast<std::size_t>(std::abs(scale))];
    value = scale < 0 ? digits / power : digits * power;
  } else if (decimal.mantissa_size <= longest_usual_number) {
    char buffer[longest_usual_number + 16];
    std::memcpy(buffer, text.data(), decimal.mantissa_size);
    buffer[decimal.mantissa_size] = 'e';
    const auto [end, error] = std::to_chars(buffer + decimal.mantissa_size + 1, buffer + sizeof buffer, exponent);
    if (std::from_chars(buffer, end, value).ec != std::errc()) return std::nullopt;
  } else {
    return std::nullopt;
  }
  if (twos_ != 0) value = std::ldexp(value, twos_);
  const bool is_usual = value == 0 || (std::fabs(value) > 1e-290 && std::fabs(value) < 1e290);
  return is_usual ? std::optional(value) : std::nullopt;
}

bool QuantityReader::is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return take_apart(text).is_number;
}

std::optional<double> QuantityReader::read_plain(std::string_view number) const {
  const bool negative = number.starts_with('-');
  if (negative || number.starts_with('+')) number.remove_prefix(1);
  std::optional<double> value = is_simple_ ? read_shifted(number) : std::nullopt;
  if (!value) value = nearest_value(number, unit_ ? &*unit_ : nullptr);
  return value && negative ? std::optional(-*value) : value;
}

std::optional<double> QuantityReader::read(std::string_view text) const {
  const bool is_as_written = is_number(text) && (decimal_ == '.' || text.find('.') == std::string_view::npos);
  if (is_as_written && !are_units_in_cells_) return read_plain(text);
  const auto found = read_number_form(text, decimal_);
  if (!found) return std::nullopt;
  if (found->unit.empty()) return are_units_in_cells_ ? std::nullopt : read_plain(found->number);
  Diagnostics aside;
  const auto unit = read_unit(found->unit, {}, "", aside);
  if (!unit_ || !unit || dimension_of(*unit) != dimension_of(*unit_)) return std::nullopt;
  if (found->has_two_parts && unit_->text == "h") return std::nullopt;
  return QuantityReader(unit).read_plain(found->number);
}

NumberRefusal QuantityReader::why_not(std::string_view text, bool has_decimal_option) const {
  const auto found = read_number_form(text, decimal_);
  if (!found) return why_no_number(text, decimal_, has_decimal_option);
  const std::string shown(text);
  if (found->unit.empty() && are_units_in_cells_)
    return {"`" + shown + "` has no unit, as other cells of the column have", "give it one, or the whole column"};
  if (found->unit.empty()) return {"`" + shown + "` is too large", ""};
  if (!unit_) return {"`" + shown + "` has a unit, where a plain number is expected", ""};
  if (found->has_two_parts && unit_->text == "h")
    return {"`" + shown + "` may be hours and minutes, or minutes and seconds",
            "write `1:30:00` for hours and minutes, `0:01:30` for minutes and seconds"};
  return {"`" + shown + "` is in " + found->unit + ", the column in " + unit_->text, ""};
}

}  // namespace wave::frontend
