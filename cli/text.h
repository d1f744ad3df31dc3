// Texts: how terminals show them, their endings and blanks.
#pragma once

#include "base/terminal_text.h"
#include "base/text.h"

#include <string_view>

namespace wave::cli {

// The ending of a file's or a table's name, which says what it holds. A name that consists only of an ending has none.
inline bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

}  // namespace wave::cli
