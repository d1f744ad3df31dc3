// Texts: how terminals show them and shells read them, their endings and blanks.
#pragma once

#include "base/shell_word.h"
#include "base/terminal_text.h"
#include "base/text.h"

#include <string>
#include <string_view>

namespace wave::cli {

// The ending of a file's or a table's name, which says what it holds. A name that consists only of an ending has none.
inline bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

using wave::shell_word;

}  // namespace wave::cli
