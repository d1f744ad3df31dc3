// The version of the program; WAVE_VERSION comes from the build system.
#pragma once

namespace wave::cli {

inline constexpr const char* version = WAVE_VERSION;

}  // namespace wave::cli
