// See number_forms.h.
#include "frontend/parse/number_forms.h"

#include "base/text.h"
#include "frontend/parse/quantity_reader.h"
#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

namespace wave::frontend {
namespace {

constexpr std::size_t longest_form = 200;

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_decimal_digit);
}

// How long the decimal number is that a text begins with, `1.5` or `1.5e3`, as Fortran writes it too.
std::size_t size_of_number(std::string_view text) {
  const auto skip_digits = [&](std::size_t at) {
    while (at < text.size() && is_decimal_digit(text[at])) ++at;
    return at;
  };
  const std::size_t whole = skip_digits(0);
  std::size_t end = whole;
  if (end < text.size() && text[end] == '.') end = skip_digits(end + 1);
  if (end == 0 || (end == 1 && whole == 0)) return 0;
  const std::size_t mantissa = end;
  if (end < text.size() && std::string_view("eEdDqQ").find(text[end]) != std::string_view::npos) ++end;
  const bool has_letter = end > mantissa;
  const bool has_sign = end < text.size() && (text[end] == '+' || text[end] == '-');
  if (!has_letter && !has_sign) return mantissa;
  const std::size_t digits = end + (has_sign ? 1 : 0), last = skip_digits(digits);
  // Fortran leaves the letter out where the exponent has three digits.
  const bool is_exponent = has_letter ? last > digits : last == digits + 3 && whole != mantissa;
  return is_exponent ? last : mantissa;
}

// The same number as the language writes it.
std::string plain_number(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_letter = !is_decimal_digit(c) && c != '.' && c != '+' && c != '-';
    if ((c == '+' || c == '-') && i > 0 && (is_decimal_digit(text[i - 1]) || text[i - 1] == '.')) result += 'e';
    result += is_letter ? 'e' : c;
  }
  return result;
}

// Whole seconds and the digits of their fraction, exactly.
std::optional<std::string> seconds_text(const std::vector<std::pair<std::string_view, std::uint64_t>>& wholes,
                                        std::string_view seconds) {
  constexpr std::size_t most_digits = 9;
  const std::size_t point = std::min(seconds.find('.'), seconds.size());
  std::uint64_t sum = 0, value = 0;
  const auto read = [&](std::string_view digits) {
    if (digits.size() > most_digits || !is_digits(digits)) return false;
    return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
  };
  for (const auto& [digits, factor] : wholes) {
    if (!read(digits)) return std::nullopt;
    sum += value * factor;
  }
  if (!read(seconds.substr(0, point))) return std::nullopt;
  const std::string_view fraction = seconds.substr(std::min(point + 1, seconds.size()));
  if (point < seconds.size() && !is_digits(fraction)) return std::nullopt;
  return fmt::format("{}{}{}", sum + value, fraction.empty() ? "" : ".", fraction);
}

// `0:18.60`, `1:02:03.5`, and Slurm's `2-03:04:05`.
std::optional<WrittenNumber> read_clock(std::string_view text) {
  std::string_view days = "0";
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    days = text.substr(0, dash);
    text.remove_prefix(dash + 1);
    if (std::count(text.begin(), text.end(), ':') != 2) return std::nullopt;
  }
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  // All but the first have two digits before a point, below 60.
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view whole = parts[i].substr(0, parts[i].find('.'));
    if (whole.size() != 2 || !is_digits(whole) || whole.front() > '5') return std::nullopt;
  }
  const bool has_hours = parts.size() == 3;
  const auto number =
      seconds_text({{days, 86400}, {has_hours ? parts[0] : "0", 3600}, {parts[has_hours ? 1 : 0], 60}}, parts.back());
  return number ? std::optional(WrittenNumber{*number, "s", !has_hours}) : std::nullopt;
}

// `1m23.4s`, `1 h 2 min`: two parts at least, the larger unit first.
std::optional<WrittenNumber> read_duration(std::string_view text) {
  constexpr std::array<std::uint64_t, 4> factors = {86400, 3600, 60, 1};
  std::vector<std::pair<std::string_view, std::uint64_t>> wholes;
  std::string_view seconds = "0";
  std::size_t at = 0, parts = 0;
  std::optional<std::size_t> before;
  while (at < text.size()) {
    const std::size_t number_end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    const std::string_view number = text.substr(at, number_end - at);
    const std::size_t word_end = std::min(text.find_first_of("0123456789.", number_end), text.size());
    const std::string_view word = without_blanks_around(text.substr(number_end, word_end - number_end));
    const std::string unit = word == "m" ? "min" : word == "d" || word == "days" ? "d" : usual_unit(word).value_or("");
    const std::size_t place = unit == "d" ? 0 : unit == "h" ? 1 : unit == "min" ? 2 : unit == "s" ? 3 : 4;
    if (place == factors.size() || (before && place <= *before)) return std::nullopt;
    if (place == 3)
      seconds = number;
    else
      wholes.emplace_back(number, factors[place]);
    before = place;
    at = word_end;
    ++parts;
  }
  if (parts < 2) return std::nullopt;
  const auto number = seconds_text(wholes, seconds);
  return number ? std::optional(WrittenNumber{*number, "s"}) : std::nullopt;
}

bool is_grouped(std::string_view text, std::string_view separators) {
  const std::size_t first = text.find_first_of(separators);
  if (first == std::string_view::npos || first > 3 || !is_digits(text.substr(0, first))) return false;
  for (std::size_t at = first; at < text.size(); at += 4) {
    const bool is_group = separators.find(text[at]) != std::string_view::npos && at + 4 <= text.size() &&
                          is_digits(text.substr(at + 1, 3));
    if (!is_group) return false;
  }
  return true;
}

NumberRefusal refuse_comma(std::string_view text, std::string_view number, bool has_option) {
  const auto comma = number.find(',');
  const bool has_one = number.find(',', comma + 1) == std::string_view::npos;
  std::string grouped(number), joined, pointed(number);
  std::replace(grouped.begin(), grouped.end(), ',', ' ');
  std::copy_if(number.begin(), number.end(), std::back_inserter(joined), [](char c) { return c != ','; });
  pointed[comma] = '.';
  while (pointed.back() == '0') pointed.pop_back();
  if (pointed.back() == '.') pointed.pop_back();
  const std::string as_decimal = has_option ? "`--decimal ,`" : fmt::format("write `{}`", pointed);
  if (has_one && is_grouped(number, ","))
    return {fmt::format("`{}` may be {} or {}", text, pointed, grouped),
            fmt::format("where the comma begins the decimals: {}; where it groups digits, take it out: `{}`",
                        as_decimal, joined)};
  if (has_one && number.find('.') == std::string_view::npos)
    return {fmt::format("`{}` has a decimal comma", text), fmt::format("to read it: {}", as_decimal)};
  return {fmt::format("`{}` has commas between its digits", text), fmt::format("take them out: `{}`", joined)};
}

}  // namespace

std::optional<WrittenNumber> read_number_form(std::string_view text, char decimal) {
  text = without_blanks_around(text);
  if (text.size() > longest_form) return std::nullopt;
  std::string pointed(text);
  if (decimal == ',') {
    if (text.find('.') != std::string_view::npos) return std::nullopt;
    std::replace(pointed.begin(), pointed.end(), ',', '.');
  }
  std::string_view rest = pointed;
  const bool is_negative = rest.starts_with('-');
  if (is_negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.empty() || (!is_decimal_digit(rest.front()) && rest.front() != '.')) return std::nullopt;
  auto found = rest.find(':') != std::string_view::npos ? read_clock(rest) : read_duration(rest);
  if (!found) {
    const std::size_t size = size_of_number(rest);
    if (size == 0) return std::nullopt;
    const std::string_view word = without_blanks_around(rest.substr(size));
    const auto unit = word.empty() ? std::optional(std::string()) : usual_unit(word);
    if (!unit) return std::nullopt;
    found = WrittenNumber{plain_number(rest.substr(0, size)), *unit};
  }
  if (is_negative) found->number.insert(0, "-");
  return found;
}

bool is_missing_number(std::string_view text) {
  std::string small;
  constexpr std::size_t longest = 4;
  if (text.size() > longest) return false;
  for (const char c : text) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  constexpr std::array<std::string_view, 8> words = {"", "na", "n/a", "nan", "null", "none", "-", "--"};
  return std::find(words.begin(), words.end(), small) != words.end();
}

NumberRefusal why_no_number(std::string_view given, char decimal, bool has_decimal_option) {
  constexpr std::size_t most_shown = 40;
  const std::string text(given.size() <= most_shown ? given : "this");
  if (is_missing_number(given)) return {given.empty() ? "an empty cell" : fmt::format("`{}` is no number", text), ""};
  std::string_view number = without_blanks_around(given);
  if (number.starts_with('-') || number.starts_with('+')) number.remove_prefix(1);
  const std::size_t digits = std::min(number.find_first_not_of("0123456789.,"), number.size());
  const std::string_view head = number.substr(0, digits);
  const bool has_digits = !head.empty() && is_decimal_digit(head.front()) && is_decimal_digit(head.back());
  if (decimal == '.' && given.size() <= most_shown && has_digits && head.find(',') != std::string_view::npos)
    return refuse_comma(text, head, has_decimal_option);
  if (decimal == ',' && has_digits && head.find('.') != std::string_view::npos)
    return {fmt::format("`{}` has a point, where decimals begin with a comma", text),
            "leave `--decimal ,` out if they begin with a point; take points between groups of digits out"};
  if (is_grouped(number, " '_"))
    return {fmt::format("`{}` has its digits in groups", text), "write them without anything in between"};
  const std::size_t size = size_of_number(number);
  const std::string word(without_blanks_around(number.substr(std::min(size, number.size()))));
  if (size > 0 && word.find(':') != std::string::npos)
    return {fmt::format("`{}` is no time", text), "times are read as `1:02.5`, `1:02:03.5` or `1m2.5s`"};
  const bool is_word =
      !word.empty() && std::string_view("0123456789.,;:+-").find(word.front()) == std::string_view::npos;
  if (size > 0 && is_word && given.size() <= most_shown) {
    if (const auto unit = usual_unit(word)) return {fmt::format("`{}` has a unit that does not fit", text), ""};
    return {fmt::format("`{}` is no number, and `{}` no unit", text, word), ""};
  }
  if (size > 0 && word.empty()) return {fmt::format("`{}` is too large", text), ""};
  return {fmt::format("`{}` is no number", text), ""};
}

}  // namespace wave::frontend
