// A bound where none is known, the cost of what cannot be, the time where there is no limit.
#pragma once

#include <limits>

namespace wave::analysis {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace wave::analysis
