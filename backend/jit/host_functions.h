// The functions of this module that compiled code calls, by the names it calls them.
#pragma once

#include <utility>
#include <vector>

namespace wave::jit {

const std::vector<std::pair<const char*, void*>>& host_functions();

}  // namespace wave::jit
