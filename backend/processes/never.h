// The time of what has not happened, or is not awaited: the least of all times, which sums and maxima leave as it is.
#pragma once

#include <limits>

namespace wave::backend::processes {

inline constexpr double never = -std::numeric_limits<double>::infinity();

}  // namespace wave::backend::processes
