// ANSI sequences. See colours.h.
#include "cli/colours.h"

namespace wave::cli {
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

}  // namespace wave::cli
