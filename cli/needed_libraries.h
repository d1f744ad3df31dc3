// Which shared libraries a program or a library names as its own: DT_NEEDED of an ELF file.
#pragma once

#include <string>
#include <vector>

namespace wave::cli {

// Empty for what is no ELF file of 64 bits, names none, or cannot be read.
std::vector<std::string> needed_libraries(const std::string& file);

}  // namespace wave::cli
