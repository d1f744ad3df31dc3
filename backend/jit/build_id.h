// What tells one build of this module from another.
#pragma once

#include <string>

namespace wave::jit {

// The build ID that the linker wrote into the file with this code; empty: it wrote none.
std::string build_id();

}  // namespace wave::jit
