// The pages of docs/diagnostics, embedded in the program: code and text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wave::cli {

const std::vector<std::pair<std::string, std::string>>& diagnostic_pages();

}  // namespace wave::cli
