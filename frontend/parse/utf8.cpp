// Whether a text is UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#include "frontend/parse/tokens.h"

namespace wave::frontend {

namespace {

struct Sequence {
  std::size_t length;       // 0: no sequence begins like this
  unsigned char low, high;  // bounds of the second byte
};

Sequence sequence(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
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

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Sequence expected = sequence(static_cast<unsigned char>(text[at]));
    if (expected.length == 0 || !valid_tail(text.substr(at), expected)) return at;
    at += expected.length;
  }
  return std::string_view::npos;
}

}  // namespace wave::frontend
