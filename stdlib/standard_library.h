// The modules of the standard library, as texts inside the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wave::stdlib {

// Name and text of each module, in alphabetical order of the names: ("std.comm", "wave 1 ..."), ...
const std::vector<std::pair<std::string, std::string>>& modules();

}  // namespace wave::stdlib
