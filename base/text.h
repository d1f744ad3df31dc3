// Small things that are done with texts.
#pragma once

#include <string>
#include <string_view>

namespace wave {

// Text without the blanks around it.
inline std::string trim(const std::string& text, std::string_view blanks = " \t") {
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace wave
