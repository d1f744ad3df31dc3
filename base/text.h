// Small things that are done with texts.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace wave {

// Text without the blanks around it: the part of it, and a copy.
inline std::string_view without_blanks_around(std::string_view text, std::string_view blanks = " \t") {
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}
inline std::string trim(const std::string& text, std::string_view blanks = " \t") {
  return std::string(without_blanks_around(text, blanks));
}

// With small letters for the capitals from A to Z.
inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// Texts or integers as one text, with `between` between each two. As `fmt::join`, which takes the compiler half a
// second wherever it is used.
template <class Parts>
std::string join_texts(const Parts& parts, std::string_view between) {
  std::string result;
  bool is_first = true;
  for (const auto& part : parts) {
    if (!is_first) result += between;
    is_first = false;
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      result += std::to_string(part);
    } else {
      result += part;
    }
  }
  return result;
}

}  // namespace wave
