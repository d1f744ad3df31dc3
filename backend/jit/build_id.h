// What tells one build of a program's file from another.
#pragma once

#include <string>

namespace wave::jit {

// The build ID that the linker wrote into an ELF file; empty: it has none, or cannot be read.
std::string build_id(const std::string& file);
// The file that this code was loaded from.
std::string own_file();

}  // namespace wave::jit
