// Texts: how terminals show them and shells read them, their endings and blanks.
#pragma once

#include "base/terminal_text.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace wave::cli {

// The ending of a file's or a table's name, which says what it holds. A name that consists only of an ending has none.
inline bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

// A word as a shell has to read it: in quotes where it needs them. Within single ones nothing has a meaning but the
// quote itself.
inline std::string shell_word(std::string_view word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_-+./:=,@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace wave::cli
