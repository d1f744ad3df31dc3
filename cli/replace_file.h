// A file is written whole or not at all.
#pragma once

#include <string>

namespace wave::cli {

// Puts `text` in the place of the file at `path` (where a symbolic link leads), which keeps its mode; or makes it. Returns what went
// wrong, or nothing.
std::string replace_file(const std::string& path, const std::string& text);

}  // namespace wave::cli
