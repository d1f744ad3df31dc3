// Whether what was read is text.
#pragma once

#include "frontend/source/diagnostics.h"

#include <optional>
#include <string>
#include <string_view>

namespace wave::frontend {

// Where a text stops being UTF-8, and what it may be instead.
struct NotText {
  std::size_t at = 0;  // the first byte that is in no such text
  std::string why;     // "not a character in UTF-8"
  std::string help;
};

// Nothing where it is UTF-8 text.
std::optional<NotText> find_no_text(std::string_view text);

// False, reported, if a file is not UTF-8 text. Readers call this before they report anything else about the file.
bool check_text(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace wave::frontend
