// Long texts of lines that differ in their number.
#pragma once

#include <fmt/format.h>

#include <string>

namespace wave::test {

template <class Text>
std::string repeated(int count, const Text& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text(i);
  return all;
}

// "let a{} = 1" with 0, 1, 2 and so on in its place.
inline std::string numbered(int count, const std::string& format) {
  return repeated(count, [&](int i) { return fmt::format(fmt::runtime(format), i); });
}

// The same text again and again.
inline std::string copies(int count, const std::string& text) {
  return repeated(count, [&](int) { return text; });
}

// What writes as many numbered texts as it is asked for.
inline auto each(const std::string& format) {
  return [format](int count) { return numbered(count, format); };
}

}  // namespace wave::test
