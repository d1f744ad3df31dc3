// Counts how often a text stands in a picture or a page.
#pragma once

#include <string>

namespace wave::test {

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

}  // namespace wave::test
