// The time of something that has not happened, or is not awaited. It is the least of all times, and sums and maxima
// leave it as it is.
#pragma once

#include <limits>

namespace wave::backend::processes {

inline constexpr double never = -std::numeric_limits<double>::infinity();

}  // namespace wave::backend::processes
