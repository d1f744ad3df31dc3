// The numbers that decide how batches are divided and how often the clock is looked at, in every engine.
#pragma once

#include <cstddef>

namespace wave::backend {

// Rows that a thread takes at a time where rows are evaluated one by one: few enough for all threads to end at about
// the same time, and enough that taking them costs nothing.
inline constexpr std::size_t rows_in_chunk = 16;

// Cells of one group, iterations and calls that the evaluator and compiled loops look at between two looks at the
// clock: about 0.1 ms for each node of one (backend/kernels/thresholds.h).
inline constexpr std::size_t cells_between_clock_reads = 4096;

// An evaluation is judged by its own speed, for a forecast or against the time limit, once it has taken so long.
inline constexpr double seconds_until_judged = 0.1;

}  // namespace wave::backend
