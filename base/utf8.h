// Characters of UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <string_view>

namespace wave {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // in bytes; 0: the text does not begin with a character
};

// Whether a terminal or a page obeys a character rather than showing it: controls (C0 and C1, with tabs and ends of
// lines), and the marks that change the direction of the text after them.
bool is_control(char32_t c);

// U+FFFD, shown instead of what is no character or must not be shown.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

// The first character of a text that is not empty.
CodePoint first_code_point(std::string_view text);

// Whether a byte looks like the first one of a character. In a malformed text, each such byte counts as a character.
constexpr bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }
// How many characters a text has.
std::size_t count_code_points(std::string_view text);

}  // namespace wave
