// Words as a shell reads them.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace wave {

// In quotes where it needs them. Within single ones nothing has a meaning but the quote itself.
inline std::string shell_word(std::string_view word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_-+./:=,@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace wave
