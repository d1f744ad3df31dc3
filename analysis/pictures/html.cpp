// See html.h.
#include "analysis/pictures/html.h"

#include "ir/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace wave::analysis::pictures {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Bytes of the well-formed sequence of UTF-8 at `at`; 0 where there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : (first & 0xF0) == 0xE0        ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, halves of pairs, and what lies beyond Unicode.
  const std::uint8_t second = byte(at + 1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90)) return 0;
  return length;
}

// Marks that turn the order of what follows round, so that a page says something else than its text: U+202A to 202E,
// U+2066 to 2069.
bool turns_text(std::string_view sequence) {
  if (sequence.size() != 3 || sequence[0] != '\xE2') return false;
  const auto last = static_cast<std::uint8_t>(sequence[2]);
  return (sequence[1] == '\x80' && last >= 0xAA && last <= 0xAE) ||
         (sequence[1] == '\x81' && last >= 0xA6 && last <= 0xA9);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const std::string_view sequence = text.substr(at, length);
    at += length == 0 ? 1 : length;
    const auto byte = length == 1 ? static_cast<std::uint8_t>(sequence[0]) : std::uint8_t{0xFF};
    if (length == 0 || (length > 1 && turns_text(sequence)) || (byte < 0x20 && byte != '\n' && byte != '\t') ||
        byte == 0x7F) {
      result += replacement;
    } else if (byte == '&') {
      result += "&amp;";
    } else if (byte == '<') {
      result += "&lt;";
    } else if (byte == '>') {
      result += "&gt;";
    } else if (byte == '"') {
      result += "&quot;";
    } else if (byte == '\'') {
      result += "&#39;";
    } else {
      result += sequence;
    }
  }
  return result;
}

std::string prose(std::string_view text) {
  std::string words(text);
  std::replace(words.begin(), words.end(), '\n', ' ');
  std::string result;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t open = words.find('`', at), close = open == words.npos ? open : words.find('`', open + 1);
    result += escaped(std::string_view(words).substr(at, close == words.npos ? words.npos : open - at));
    if (close == words.npos) break;
    result += "<code>" + escaped(std::string_view(words).substr(open + 1, close - open - 1)) + "</code>";
    at = close + 1;
  }
  return result;
}

std::string json_in_script(std::string_view json) {
  std::string result;
  for (const char c : json) {
    // In JSON these stand within strings only, where an escape means the same.
    if (c == '<' || c == '>' || c == '&')
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  // Ends of lines to scripts, though not to JSON.
  for (const auto& [mark, escape] :
       {std::pair<std::string_view, const char*>{"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}}) {
    for (std::size_t at = 0; (at = result.find(mark, at)) != std::string::npos;)
      result.replace(at, mark.size(), escape);
  }
  return result;
}

std::string policy_source(std::string_view text) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const Digest bytes = digest(text);
  std::string base64;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) { return at < bytes.size() ? bytes[at] : std::uint8_t{0}; };
    const std::uint32_t group = std::uint32_t{byte(i)} << 16 | std::uint32_t{byte(i + 1)} << 8 | byte(i + 2);
    for (int part = 0; part < 4; ++part) {
      const bool is_there = i + static_cast<std::size_t>(part) <= bytes.size();
      base64 += is_there ? letters[group >> (18 - 6 * part) & 63] : '=';
    }
  }
  return "'sha256-" + base64 + "'";
}

}  // namespace wave::analysis::pictures
