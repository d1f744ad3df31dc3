// See toml_text.h.
#include "frontend/project/toml_text.h"

#include "base/utf8.h"

#include <algorithm>

namespace wave::frontend {
namespace {

constexpr unsigned first_private = 0xE000;

// The character at a place, as far as the bytes go that continue one.
std::string_view character_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && !starts_code_point(text[end])) ++end;
  return text.substr(at, end - at);
}

// In UTF-8, three bytes.
std::string private_character(std::size_t number) {
  const auto code = static_cast<unsigned>(first_private + number % TomlText::most_replaced);
  return {static_cast<char>(0xE0U | (code >> 12U)), static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

// The number of a private character, or nothing like one.
std::size_t private_number(std::string_view character) {
  const auto bits = [&](std::size_t i) { return static_cast<unsigned char>(character[i]) & 0x3FU; };
  if (character.size() != 3) return TomlText::most_replaced;
  const unsigned code = ((static_cast<unsigned char>(character[0]) & 0x0FU) << 12U) | (bits(1) << 6U) | bits(2);
  return code < first_private ? TomlText::most_replaced : code - first_private;
}

}  // namespace

TomlText::TomlText(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::map<std::string_view, std::string> known;
  std::size_t at = text.starts_with(mark) ? mark.size() : 0;
  replaced_ = text.substr(0, at);
  while (at < text.size()) {
    const std::string_view one = character_at(text, at);
    at += one.size();
    if (static_cast<unsigned char>(one.front()) < 0x80U) {
      replaced_ += one;
      continue;
    }
    const auto [place, is_new] = known.try_emplace(one, private_character(originals_.size()));
    if (is_new) originals_.emplace_back(one);
    replaced_ += place->second;
  }
}

std::string TomlText::original(std::string_view part) const {
  std::string text;
  for (std::size_t at = 0; at < part.size();) {
    const std::string_view one = character_at(part, at);
    const std::size_t number = private_number(one);
    text += number < originals_.size() ? std::string_view(originals_[number]) : one;
    at += one.size();
  }
  return text;
}

}  // namespace wave::frontend
