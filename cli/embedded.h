// What the build puts into the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wave::cli {

// Of the program; WAVE_VERSION comes from the build system.
inline constexpr const char* version = WAVE_VERSION;

// The pages of docs/diagnostics, by their codes.
const std::vector<std::pair<std::string, std::string>>& diagnostic_pages();

}  // namespace wave::cli
