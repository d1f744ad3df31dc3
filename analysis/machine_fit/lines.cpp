// See lines.h.
#include "analysis/machine_fit/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr double largest_size = 1e15;   // a petabyte
constexpr std::size_t most_words = 64;  // of a line; no table of these tools has more columns

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> number(std::string_view text) {
  double value = 0;
  const char* begin = text.data();
  if (!text.empty() && text.front() == '+') ++begin;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

LineReader::LineReader(std::string_view text) : text_(text), lines_(text, blanks) {}

std::vector<Word> LineReader::words() const {
  std::vector<Word> words;
  const std::uint32_t end = lines_.end();
  for (std::uint32_t at = lines_.begin(); at < end && words.size() < most_words;) {
    while (at < end && is_blank(text_[at])) ++at;
    const std::uint32_t begin = at;
    while (at < end && !is_blank(text_[at])) ++at;
    if (at > begin) words.push_back({text_.substr(begin, at - begin), begin, at});
  }
  return words;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

bool begins_with_number(const std::vector<Word>& words) {
  return !words.empty() && number(words.front().text).has_value() &&
         (is_digit(words.front().text.back()) || words.front().text.back() == '.');
}

double resolution_of(std::string_view number) {
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, mark);
  int exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view digits = number.substr(mark + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  return 0.5 * std::pow(10.0, std::clamp(exponent, -300, 300) - static_cast<double>(decimals_of(mantissa)));
}

std::size_t decimals_of(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

frontend::Diagnostic& Complaints::add(std::uint32_t begin, std::uint32_t end, std::string message, std::string label) {
  ++count_;
  return diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, {file_, begin, end}, std::move(message),
                          std::move(label));
}

frontend::Diagnostic& Complaints::add(std::string message) {
  ++count_;
  return diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, {}, std::move(message));
}

std::optional<double> Complaints::positive(const Word& word, std::string_view what) {
  const auto value = number(word.text);
  if (value && std::isfinite(*value) && *value > 0) return value;
  const std::string found = !value               ? "this is no number"
                            : std::isnan(*value) ? "this is no number"
                            : *value < 0         ? "this is negative"
                            : *value == 0        ? "this is zero"
                                                 : "this is not finite";
  auto& d = add(word.begin, word.end, fmt::format("a {} has to be a positive number", what), found);
  if (value && *value == 0) d.help.push_back("print more digits, or leave the row out");
  return std::nullopt;
}

std::optional<double> Complaints::size(const Word& word) {
  const auto value = number(word.text);
  if (value && *value >= 0 && *value <= largest_size && *value == std::floor(*value)) return value;
  add(word.begin, word.end, "a size has to be a whole number of bytes",
      !value                  ? "this is no number"
      : *value < 0            ? "this is negative"
      : *value > largest_size ? "this is more than a petabyte"
                              : "this is not whole");
  return std::nullopt;
}

}  // namespace wave::analysis::machine_fit
