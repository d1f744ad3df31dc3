// UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF) without a byte 0. See utf8.h.
#include "frontend/source/utf8.h"

#include <cstdint>
#include <cstring>

namespace wave::frontend {

namespace {

struct Sequence {
  std::size_t length;       // 0: no sequence begins like this
  unsigned char low, high;  // bounds of the second byte
};

Sequence sequence(unsigned char lead) {
  if (lead < 0x80) return {lead == 0 ? 0U : 1U, 0, 0};
  if (lead >= 0xC2 && lead <= 0xDF) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

bool valid_tail(std::string_view bytes, Sequence expected) {
  if (bytes.size() < expected.length) return false;
  for (std::size_t i = 1; i < expected.length; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const unsigned char low = i == 1 ? expected.low : 0x80;
    const unsigned char high = i == 1 ? expected.high : 0xBF;
    if (byte < low || byte > high) return false;
  }
  return true;
}

// Tables have gigabytes: eight bytes of ASCII at a time.
bool is_plain(const char* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return (((word - ones) | word) & high) == 0;
}

std::size_t first_foreign_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + sizeof(std::uint64_t) <= text.size() && is_plain(text.data() + at)) {
      at += sizeof(std::uint64_t);
      continue;
    }
    const Sequence expected = sequence(static_cast<unsigned char>(text[at]));
    if (expected.length == 0 || !valid_tail(text.substr(at), expected)) return at;
    at += expected.length;
  }
  return text.size();
}

// Encodings other than UTF-8 that spreadsheets and editors write.
std::string help_for(std::string_view text) {
  const auto begins = [&](std::string_view bytes) { return text.substr(0, bytes.size()) == bytes; };
  const auto is_zero = [&](std::size_t at) { return at < text.size() && text[at] == '\0'; };
  const auto utf16 = [](const char* name) {
    return std::string("it looks like UTF-16: save it as UTF-8, or convert it with `iconv -f ") + name +
           " -t utf-8 FILE`";
  };
  if (begins("\xFF\xFE") || begins("\xFE\xFF")) return utf16("utf-16");
  if (is_zero(1) && is_zero(3) && !is_zero(0)) return utf16("utf-16le");
  if (is_zero(0) && is_zero(2) && !is_zero(1)) return utf16("utf-16be");
  if (begins("PK\x03\x04")) return "it looks like a spreadsheet or an archive: export the table as CSV in UTF-8";
  return "save it as UTF-8, if it is text at all";
}

}  // namespace

std::optional<NotText> find_no_text(std::string_view text) {
  const std::size_t at = first_foreign_byte(text);
  if (at == text.size()) return std::nullopt;
  return NotText{at, text[at] == '\0' ? "a byte 0 is in no text" : "not a character in UTF-8", help_for(text)};
}

bool check_text(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics) {
  const auto found = find_no_text(sources.text(file));
  if (!found) return true;
  const auto at = static_cast<std::uint32_t>(found->at);
  diagnostics.add(DiagnosticKind::invalid_utf8, {file, at, at + 1}, "this file is not UTF-8 text", found->why)
      .help.push_back(found->help);
  return false;
}

}  // namespace wave::frontend
