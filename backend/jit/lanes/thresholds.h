// The numbers that decide what is evaluated in vector lanes, in which shape, and by how many threads. Where no
// measurement is named, none is on record.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wave::jit::lanes {

// --- when strips are compiled, and in which shape (strip_code.cpp) ---

// Compiling strips takes as long as a few million cells take by scalar code; a group that is evaluated again and again
// is worth it before.
inline constexpr double cells_that_are_worth_it = 1 << 22;
// A smaller group, or one with fewer rows, does not count.
inline constexpr double smallest_group = 1 << 12, smallest_rows = 8;
// About how many cycles things take, by which shapes are weighed: a step at least, a step without its vectors, and a
// node of a vector; the ends of a strip; a scalar cell without its nodes, and a node. Whole numbers of quanta: 10 to 16
// vectors of uniform costs on 10000 x 10000 cells take 9 to 14 cycles a step (AMD EPYC, family 26).
inline constexpr double cycles_of_latency = 9, cycles_of_step = 3, cycles_of_vector_node = 0.5;
inline constexpr double cycles_of_quanta_node = 0.22;
inline constexpr double cycles_of_strip = 400, cycles_of_scalar_cell = 4, cycles_of_scalar_node = 2;
// Nodes of code that is written out for every vector.
inline constexpr std::size_t most_nodes_of_step = 2000;

// --- what strips cover (strip_plan.cpp) ---

// The axes are tried with skews up to this one.
inline constexpr std::int32_t largest_skew = 8;
// Steps that are kept of one event, rows above and planes before that a cell looks at: each is kept in registers or
// memory for all rows of a strip.
inline constexpr std::int32_t most_steps_kept = 8, most_rows_above = 2, most_planes = 3;
// In whole planes, which have so much room around them.
inline constexpr std::int32_t most_columns_apart = 8;

// --- tables of costs (strip_fill.cpp) ---

// Periods of costs along an axis; along columns; and what a table with all their combinations takes, 32 MiB.
inline constexpr std::int64_t longest_period = 4096, most_column_phases = 64, most_periodic_words = 1 << 22;

// --- memory and threads of strips (strip_memory.cpp, strip_blocks.cpp) ---

// Of an event, for steps that are copied out: 64 KiB, which stay in the cache.
inline constexpr std::int64_t scratch_words = 1 << 13;
// Fewer cells are evaluated by one thread: 0.25 ms (`./dev bench recurrence`, uniform costs).
inline constexpr double cells_for_threads = 1 << 22;
// And of blocks that are smaller, 1 us each, threads would wait for each other: where others want the processors, for
// as long as these have them.
inline constexpr double cells_of_block_for_threads = 1 << 11;
// Between two looks at the clock, and at how far the strip before is: by one thread, and how a strip is divided for
// several, in parts of at least so many steps.
inline constexpr std::int64_t cells_between_looks = 1 << 22, parts_of_strip = 32, least_steps_of_part = 16;
// Steps at a time: doubled where they took less than the first, halved where they took more than the second. So the
// time limit is looked at every few milliseconds, whatever a cell takes.
inline constexpr std::int64_t steps_at_first = 64;
inline constexpr double short_seconds = 1e-3, long_seconds = 4e-3;
// Bytes of an event beyond which it is stored past the caches.
inline constexpr double beyond_caches = 64e6;

// --- when reductions are in lanes (reduction_plan, reduction_run.cpp) ---

// Loops of fewer iterations do not ask.
inline constexpr std::int64_t least_iterations = 16;
// Nodes of a definition that is evaluated before, needed or not.
inline constexpr std::size_t most_nodes_ahead = 1000;
// The additions of a sum of reals, one by one, take as long as a body of fewer nodes.
inline constexpr std::size_t few_nodes = 8;
// Compiling takes about as long.
inline constexpr double seconds_worth_it = 8e-3;
// Iterations by scalar code before lanes, and those that are measured to judge the rest by.
inline constexpr std::int64_t iterations_before_measured = 1, measured_iterations = 3;
// Indices of loops around: more are left to scalar code.
inline constexpr std::size_t most_binders = 32;
// Nodes whose latencies are hidden by more vectors at a time: so many of them, and of larger bodies.
inline constexpr std::size_t small_body = 24;
inline constexpr std::uint32_t vectors_of_small_body = 4, vectors_of_large_body = 2;

// --- how reductions are divided (reduction_run.cpp, emit_reduction.cpp) ---

// Columns that are filled and folded at a time; 16 KiB each stay in a cache.
inline constexpr double seconds_at_a_time = 1e-3;
inline constexpr std::size_t most_at_a_time = 2048;
// Work that is worth threads, and what all of them take before one folds it: 512 KiB a column.
inline constexpr double seconds_for_threads = 4e-3, seconds_of_a_window = 50e-3;
inline constexpr std::size_t most_in_window = std::size_t{1} << 16;
// Of loops inside, for each vector: some milliseconds. What takes longer is scalar code outside, with the loops inside
// in lanes.
inline constexpr std::int64_t iterations_inside = 1 << 16;
// Where lanes make no progress they are asked for after twice as many iterations each time, up to so many doublings.
inline constexpr std::uint32_t most_doublings = 20;

// --- code in lanes (lane_emitter.cpp, lane_calls.cpp) ---

// Nodes; the time of compiling long pieces without branches rises faster than their length.
inline constexpr std::size_t most_emitted = 12'000;
// Functions are written out where they are called.
inline constexpr std::size_t most_calls_inside_each_other = 24;

}  // namespace wave::jit::lanes
