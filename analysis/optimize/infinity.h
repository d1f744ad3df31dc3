// Infinity stands for an unknown bound, the cost of an impossible point, and the absence of a time limit.
#pragma once

#include <limits>

namespace wave::analysis {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace wave::analysis
