// The ending of a file's or a table's name says what it holds.
#pragma once

#include <string_view>

namespace wave::cli {

// A name that consists only of the ending has no ending.
inline bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

}  // namespace wave::cli
