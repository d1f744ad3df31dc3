// What the name of a file or of a table ends with says what it holds.
#pragma once

#include <string_view>

namespace wave::cli {

// A name that is nothing but the ending has none.
inline bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

}  // namespace wave::cli
