// UTF-8 decoding and the widths of characters. See text.h.
#include "cli/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace wave::cli {
namespace {

constexpr std::size_t tab_stop = 4;
constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;  // bytes
  bool valid = false;
};

CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return {};
  char32_t value = lead & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(at + i) & 0x3f);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (overlong || surrogate || value > 0x10ffff) return {};
  return {value, length, true};
}

struct CharacterRange {
  char32_t first, last;
};

bool in_any(const CharacterRange* begin, const CharacterRange* end, char32_t c) {
  return std::any_of(begin, end, [c](CharacterRange r) { return c >= r.first && c <= r.last; });
}

// The blocks that matter in practice, not all of Unicode's tables.
bool is_combining(char32_t c) {
  static constexpr CharacterRange ranges[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},    {0x610, 0x61a},
                                              {0x64b, 0x65f},   {0xe31, 0xe31},   {0xe34, 0xe3a},    {0xe47, 0xe4e},
                                              {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d},  {0x20d0, 0x20ff},
                                              {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};
  return in_any(std::begin(ranges), std::end(ranges), c);
}

bool is_wide(char32_t c) {
  static constexpr CharacterRange ranges[] = {
      {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
      {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
      {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  return in_any(std::begin(ranges), std::end(ranges), c);
}

// C0 and C1 controls, and the marks that change the direction of the text after them.
bool commands_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace

DisplayText display(std::string_view original) {
  DisplayText result;
  std::size_t column = 0;
  for (std::size_t i = 0; i < original.size();) {
    const CodePoint c = decode(original, i);
    for (std::size_t k = 0; k < c.length; ++k) {
      result.columns.push_back(column);
      result.offsets.push_back(result.text.size());
    }
    if (c.valid && c.value == '\t') {
      const std::size_t spaces = tab_stop - column % tab_stop;
      result.text.append(spaces, ' ');
      column += spaces;
    } else if (!c.valid || commands_terminal(c.value)) {
      result.text += replacement;
      column += 1;
    } else {
      result.text += original.substr(i, c.length);
      column += is_combining(c.value) ? 0 : is_wide(c.value) ? 2 : 1;
    }
    i += c.length;
  }
  result.columns.push_back(column);
  result.offsets.push_back(result.text.size());
  return result;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const CodePoint c = decode(text, at);
  return c.valid ? c.length : 0;
}

std::size_t display_width(std::string_view text) { return display(text).width(); }

std::string sanitize(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += display(text.substr(begin, end - begin)).text;
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

std::string pad_right(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t present = display_width(text);
  if (present < width) result.append(width - present, ' ');
  return result;
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t present = display_width(text);
  return present < width ? std::string(width - present, ' ') + std::string(text) : std::string(text);
}

}  // namespace wave::cli
