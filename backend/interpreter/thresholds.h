// The numbers by which the evaluator chooses between cells, proofs and kernels, and what it may remember. Where no
// measurement is named, none is on record.
#pragma once

#include <cstddef>

namespace wave::backend::interpreter {

// --- proofs or cells (shortcuts.cpp) ---

// Of a cell as it is, and by a kernel: in lanes, at the very least (`./dev bench recurrence`, uniform costs on 10^5 x
// 10^5 cells).
inline constexpr double seconds_per_plain_cell = 5e-7, seconds_per_lane_cell = 5e-11;
// Cells that take longer than this are worth a proof even if every one of them is read.
inline constexpr double many_seconds = 3.4;
// A proof's operation on one index takes about 8 ns (costs by axis on 10^6 x 10^6 cells, `wave run bench/startp.wave`):
// as long as some hundred cells in lanes.
inline constexpr double lane_cells_per_operation = 250;
// Fewer are evaluated by a kernel faster than a proof is found: 13 us.
inline constexpr double few_lane_cells = 0x1p18;

// --- loops and cells that may turn out long (loops.cpp, kernels.cpp, prepared_system.cpp) ---

// Iterations of a loop that are not timed: the first of an outermost one also evaluates what is remembered for all, and
// loops inside others come often.
inline constexpr std::size_t iterations_before_timing = 1, inner_iterations_before_timing = 32;
// Points of a recurrence before it is judged whether loops in its cells take long.
inline constexpr std::size_t points_before_judging = 4;
// Nodes of a cell that are counted to judge the others by: 30 us.
inline constexpr std::size_t most_nodes_counted = 1000;

// --- kernels (kernel_table.cpp, kernel_batch.cpp) ---

// Of a sweep tile by tile: `./dev bench processes`, a sweep of few processes.
inline constexpr double seconds_per_sweep_operation = 4e-9;
// So many rows of a batch are evaluated like single ones: by one thread, without lanes.
inline constexpr std::size_t few_rows = 32;

// --- limits (events.cpp, cells.cpp) ---

// What a cell takes at the very least, for an estimate before anything has been measured.
inline constexpr double least_seconds_per_cell = 10e-9;
// Cells are given up where they would take so many times the time that is left.
inline constexpr double hopeless_times_left = 2;

// --- memory (scalars.cpp, events.cpp) ---

// Some 10 MB.
inline constexpr std::size_t most_remembered_calls = 100'000;
// A function's events come once a call.
inline constexpr std::size_t most_reports = 1000;

}  // namespace wave::backend::interpreter
