// See terminal_text.h.
#include "base/terminal_text.h"

#include "base/utf8.h"

#include <algorithm>
#include <iterator>

namespace wave {
namespace {

constexpr std::size_t tab_stop = 4;

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

// The length of "\x1b[1;31m" and the like at the beginning of a text; 0 where there is none.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

bool is_plain(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

// Results of many megabytes go through here, nearly all of them plain: those are copied in runs.
std::string replace_commands(std::string_view text, bool with_colours) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_plain);
    std::size_t kept = static_cast<std::size_t>(end - text.begin()), gone = 0;
    if (end != text.end()) {
      const auto [c, length] = first_code_point(text.substr(kept));
      const std::size_t colour = with_colours ? colour_length(text.substr(kept)) : 0;
      if (length > 0 && !is_control(c))
        kept += length;
      else if (colour > 0)
        kept += colour;
      else
        gone = std::max<std::size_t>(length, 1);
    }
    result += text.substr(0, kept);
    if (gone > 0) result += replacement_character;
    text.remove_prefix(kept + gone);
  }
  return result;
}

}  // namespace

DisplayText display(std::string_view original) {
  DisplayText result;
  std::size_t column = 0;
  for (std::size_t i = 0; i < original.size();) {
    const auto [c, length] = first_code_point(original.substr(i));
    const std::size_t bytes = std::max<std::size_t>(length, 1);
    for (std::size_t k = 0; k < bytes; ++k) {
      result.columns.push_back(column);
      result.offsets.push_back(result.text.size());
    }
    if (c == '\t') {
      const std::size_t spaces = tab_stop - column % tab_stop;
      result.text.append(spaces, ' ');
      column += spaces;
    } else if (length == 0 || is_control(c)) {
      result.text += replacement_character;
      column += 1;
    } else {
      result.text += original.substr(i, length);
      column += is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
    }
    i += bytes;
  }
  result.columns.push_back(column);
  result.offsets.push_back(result.text.size());
  return result;
}

std::size_t display_width(std::string_view text) { return display(text).width(); }

std::string sanitize(std::string_view text) { return replace_commands(text, false); }
std::string sanitize_coloured(std::string_view text) { return replace_commands(text, true); }

std::string without_colours(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t kept = std::min(text.find('\x1b'), text.size());
    result += text.substr(0, kept);
    text.remove_prefix(kept);
    const std::size_t colour = colour_length(text);
    if (colour == 0 && !text.empty()) result += text.front();
    text.remove_prefix(std::min(std::max<std::size_t>(colour, 1), text.size()));
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

namespace {

std::string_view sequence(Style style) {
  switch (style) {
    case Style::error: return "\x1b[1;31m";
    case Style::warning: return "\x1b[1;33m";
    case Style::accent: return "\x1b[1;34m";
    case Style::secondary: return "\x1b[36m";
    case Style::strong: return "\x1b[1m";
    case Style::good: return "\x1b[32m";
  }
  return "";
}

}  // namespace

std::string Palette::operator()(Style style, std::string_view text) const {
  if (!coloured_ || text.empty()) return std::string(text);
  return std::string(sequence(style)) + std::string(text) + "\x1b[0m";
}

}  // namespace wave
