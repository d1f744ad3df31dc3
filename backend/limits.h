// Bounds that every engine keeps, so that no input overflows a stack and all engines stop at the same place.
#pragma once

#include <cstddef>

namespace wave::backend {

// Activations of frames inside each other (recursion of functions); one more is recursion_too_deep.
inline constexpr std::size_t max_activations = 1000;

// Cells of one group that the interpreter and the compiled loops look at between two looks at the clock.
inline constexpr std::size_t cells_between_clock_reads = 4096;

}  // namespace wave::backend
