// See words.h.
#include "analysis/recorded/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace wave::analysis::recorded {

namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number result{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), result);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return result;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::int64_t> whole_number_of(std::string_view text) { return number_of<std::int64_t>(text); }

std::int64_t rank_of(std::string_view text, std::int64_t ranks) {
  const auto rank = number_of<std::int64_t>(text);
  return rank && *rank >= 0 && *rank < ranks ? *rank : -1;
}

std::optional<double> size_of(std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  if (text == "data") return -1;
  const auto size = number_of<std::int64_t>(text);
  return size && *size >= 0 && *size <= most ? std::optional(static_cast<double>(*size)) : std::nullopt;
}

std::optional<double> duration_of(std::string_view text) {
  const auto duration = number_of<double>(text);
  return duration && std::isfinite(*duration) ? std::optional(std::max(*duration, 0.0)) : std::nullopt;
}

std::optional<double> mean_of(std::string_view text) {
  const auto parts = parts_of(text, ':');
  const auto sum = duration_of(parts[0]);
  if (parts.size() < 4 || !sum) return sum;
  double count = 0;
  for (const std::string_view bucket : parts_of(parts[3], ',')) {
    const std::size_t times = std::min(bucket.find('x'), bucket.size() - 1);
    count += static_cast<double>(number_of<std::uint32_t>(bucket.substr(times + 1)).value_or(0));
  }
  return count > 0 ? std::optional(*sum / count) : std::nullopt;
}

}  // namespace wave::analysis::recorded
