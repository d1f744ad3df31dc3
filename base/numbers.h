// Numbers in texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace wave {

// The number that is the whole of a text, without blanks or `+`. Nothing if there is none, or the type has no room.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && next == end ? std::optional(value) : std::nullopt;
}

}  // namespace wave
