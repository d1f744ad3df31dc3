// The numbers that decide how a sweep is compiled and run, or bound what an attempt may cost, by the file that uses
// them. None of them changes a result. Facts (widths of integers and vectors) stand where they are used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wave::jit::sweep {

// --- kernels.cpp ---

// Buffers of so many doubles, 256 MB, or of half a double a process are taken as they are; for larger ones other orders
// of the axes are tried, and fewer threads.
inline constexpr double modest_buffers = 32e6;
// Processes in tiles that are worth threads: 3 ms at 0.15 ns each (bench/README.md). Each thread has buffers of its
// own.
inline constexpr double blocks_worth_threads = 2e7, most_threads = 16;
// Rows in registers: few near the borders, where code has guards. Of inner rows as many as keep what is alive from step
// to step in 16 to 24 of the 32 registers that vectors of 512 bits come with (2 x 8, 4 x 6); few with narrower vectors.
inline constexpr int border_rows = 2;
inline constexpr int most_rows = 8, medium_rows = 6, few_rows = 4;
inline constexpr int most_alive_in_most_rows = 2, most_alive_in_medium_rows = 4;

// --- run_block.cpp ---

// Processes in tiles between questions whether to go on: 0.6 ms at 0.15 ns each (bench/README.md), some with guards.
inline constexpr double blocks_between_questions = 4e6;

// --- plan.cpp ---

// Events, each with vectors of its own in the code.
inline constexpr std::size_t most_events = 48;

// --- events.cpp ---

// Longer bodies are not contracted, which looks at each pair of events again and again.
inline constexpr std::size_t most_operations = 400;
// Constraints of an event times its users, up to which they take them in.
inline constexpr std::size_t most_edges_in_place = 16;
// Comparisons of a constraint with a chain of others, and the length of that chain behind its first. A kernel is looked
// up by all of their outcomes.
inline constexpr std::size_t most_decisions = 4000;
inline constexpr int longest_outdoing_chain = 2;

// --- schedule.cpp ---

// Orders that are tried: by how many steps a tile lags behind the one before on an axis; by how many a row or plane
// leans; and by how many tiles lag further than they must. A test holds that every order of Listing 1's statements has
// a schedule within them.
inline constexpr int largest_skew = 4, largest_lean = 2;
inline constexpr int most_further_planes = 1, most_further_rows = 1, most_further_columns = 2;
// Times by which a process is later than its neighbour, in whole bodies, when it is asked whether a body runs through.
inline constexpr int most_bodies_later = 4;

}  // namespace wave::jit::sweep
