// The numbers that decide which proofs are tried, and what looking for them and reading their values may cost. Where no
// measurement is named, none is on record: the number bounds memory, time or stack as it says.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wave::backend::closed_form {

// --- which proofs (recurrence.cpp) ---

// All orders of the axes may be tried, 720 of six.
inline constexpr std::size_t most_axes_of_proof = 6;
// A corner of blocks takes as long as so many cells.
inline constexpr double cells_per_corner = 256;
// Corners that blocks may have on a small box, and on any: 16 bytes each, 16 MiB.
inline constexpr double least_corners = 256, most_corners = 0x1p20;
// Operations on one index that a proof may take for few cells, and for many. They take about 8 ns each (costs by axis
// on 10^6 x 10^6 cells, `wave run bench/startp.wave`): half a millisecond, and 9 s.
inline constexpr double least_operations = 1 << 16, most_operations = 1 << 30;
// Where cells are evaluated as they are, a proof may take one such operation for so many of them.
inline constexpr double cells_per_operation_as_they_are = 16;
// Expressions are not looked into for what repeats along an index where it has fewer values than this.
inline constexpr std::int64_t shortest_extent_looked_into = 1024;

// --- what reading a value takes (seconds_per_read, and backend/interpreter/shortcuts.cpp) ---

// With any proof, at least: a sum along a line. Each further leg, cut or axis takes as long again.
inline constexpr double least_seconds_per_read = 1e-7;

// --- functions of one index (index_function.h, cell_function.cpp) ---

// Numbers kept in a function of one index: one that neither repeats nor grows is evaluated for every index, 20 ns or so
// each (docs/shortcuts.md), so a tenth of a second.
inline constexpr std::int64_t most_values = std::int64_t{1} << 22;
// Functions of that length, at most, in one problem.
inline constexpr std::int64_t most_functions = 4;
// Memory of a value of such a function, with all that is made of it.
inline constexpr double bytes_per_value = 256;
// Indices that are evaluated together: every part of an expression has 9 bytes for each, 144 KiB.
inline constexpr std::size_t lanes_at_once = 1 << 14;

// --- tables of classes (cell_function.cpp, combination.cpp) ---

// Classes along one axis; a table of as many in all is worth it for any number of cells.
inline constexpr std::size_t most_classes = 1 << 12;
// Of a table, at 8 bytes: 8 MiB; and no more than one for so many cells.
inline constexpr double most_table_cells = 1 << 20, cells_per_table_cell = 16;
// Kinds of places along one axis of a combination, and combinations of them that are looked at one by one: in any case,
// at most, and one for so many cells.
inline constexpr std::size_t most_kinds = 1 << 14;
inline constexpr double least_looks = 4096, most_looks = 1 << 22, cells_per_look = 16;

// --- where a scalar repeats (periods.cpp) ---

// The first period and the last are evaluated to judge the others.
inline constexpr std::int64_t longest_period = 1 << 14;
// A range is split at most so often, and tabulated where it is shorter.
inline constexpr std::size_t most_ranges = 1 << 12;
inline constexpr std::int64_t shortest_range_looked_into = 64;

// --- evaluation of scalars (scalars.cpp) ---

// Iterations of all loops inside one reduction of a weight.
inline constexpr std::int64_t most_iterations_of_weight = 10'000;
// Operations on one index between two looks: some 2 ms, at 8 ns each.
inline constexpr std::size_t lanes_between_clock_reads = 1 << 18;

// --- what keeps recursion off the end of the stack ---

inline constexpr std::size_t deepest_sum = 1000;   // form.cpp: additions inside each other
inline constexpr std::size_t deepest_look = 400;   // looks_at.cpp
inline constexpr std::size_t deepest_lanes = 200;  // scalars.cpp: values and calls inside each other
inline constexpr int deepest_known_value = 100;    // symbolic/known_value.cpp
inline constexpr int deepest_point = 50;           // symbolic/uniform.cpp: of a value whose interval is a point

// --- expressions instead of recurrences (symbolic/) ---

// For more axes, the bound of a group is not by a hyperplane (ir/exact.cpp).
inline constexpr std::size_t most_axes_of_expression = 6;
// What is nested deeper is more than a few operators, and gets a definition of its own.
inline constexpr int deepest_in_place = 4;

}  // namespace wave::backend::closed_form
