// Numbers into texts of millions of cells: with the fewest digits that read back as the same number.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <string>

namespace wave::cli {

template <class Number>
void append_number(std::string& text, Number value) {
  char buffer[64];
  const char* const end = fmt::format_to(static_cast<char*>(buffer), FMT_COMPILE("{}"), value);
  text.append(static_cast<const char*>(buffer), end);
}

}  // namespace wave::cli
