// The numbers that decide what compiled code is made of, how its cells are kept, and how often it looks at the clock.
// Where no measurement is named, none is on record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>

namespace wave::jit {

// --- what is compiled, and how (module_emitter.cpp, compiled_system.cpp, shared_values.cpp) ---

// Emitted nodes: about a tenth of a millisecond of compilation each ten, so 0.6 s.
inline constexpr std::size_t largest_module = 60'000;
// What takes less than this as it is does not repay the time that optimising takes: some 15 ms, which quick code, about
// ten times faster than no code, loses on it.
inline constexpr double quick_seconds = 0.15;
// Basic blocks of a function that is optimised. With more, it is quick code: the time to choose registers grows as the
// square of their number. A `when` of 125 arms, some 1000 blocks, took 0.3 s, one of 1000 arms 18 s, of 2000 arms 66 s;
// as quick code they take 0.05, 0.5 and 1.5 s, and run no slower on a million points.
inline constexpr std::size_t most_blocks_with_care = 1000;
// Values get slots only where the code has more nodes than `small_code`, and so many for each value. Then one that is
// used again is written out again up to this size, and less in a cell, whose nodes round, and ask what is there.
inline constexpr double small_code = 2000, tolerable_growth = 4;
inline constexpr double largest_in_place = 40, largest_in_cell = 10;

// Message statements of a program of processes, up to which the code of each stands in its place.
inline constexpr std::size_t most_inlined_messages = 16;

// --- looks at the clock (runtime.cpp, emit_loops.cpp, batch.cpp) ---

// A step is about a nanosecond: a millisecond.
inline constexpr std::int64_t steps_between_clock_reads = 1'000'000;
// Loops take them from what is left so many at a time.
inline constexpr std::int64_t iterations_per_tick = 1024;
// Rows of a batch in lanes, which may have loops.
inline constexpr std::size_t rows_between_looks = 256;
// Parts of the hyperplanes of a group between two looks.
inline constexpr double looks_at_planes = 64;

// --- threads (batch.cpp) ---

// Rows in lanes that a thread takes at a time.
inline constexpr std::size_t rows_in_lane_chunk = 4096;

// --- memory for cells (group_storage.cpp, group_loops.cpp, word_pool.cpp) ---

// What a cell takes at the very least, for an estimate before anything has been measured.
inline constexpr double seconds_per_cell = 0.3e-9, seconds_per_cell_in_lanes = 0.05e-9;
// Groups of fewer cells are stored whole, whatever is read of them: 1 MiB an event.
inline constexpr double small_group = 1 << 17;
// Cells of a window of slices: 512 KiB an event, which stay in the cache. It has some slices at least.
inline constexpr std::int64_t window_cells = 1 << 16, least_slices_of_window = 8;
// A window must take less than this part of the memory of all cells.
inline constexpr double largest_part_of_window = 0.5;
// Cells that are evaluated between two looks at the clock where all are stored.
inline constexpr std::int64_t stored_cells_between_looks = 4 * window_cells;
// Memory that is kept for the next evaluation: pieces of at least 4 KiB, 2 GiB in all. From 8 MiB on, a piece that does
// not fit makes room for another one.
inline constexpr std::size_t worth_keeping = std::size_t{4} << 10, too_much_to_keep = std::size_t{2} << 30;
inline constexpr std::size_t large_piece = std::size_t{8} << 20, most_pieces = 32;

// --- the time limit (group_loops.cpp, group_lanes.cpp) ---

// A group is judged once it has taken so many seconds, and one of so many parts of the time that is left. It is given
// up where it needs that time so often: on a busy machine the first cells may take much longer than they should.
inline constexpr double seconds_until_group_judged = 0.2, parts_until_group_judged = 50, hopeless_times_left = 3;
// Cells that take so long that it is worth telling why they are not in lanes.
inline constexpr double worth_a_word = 1 << 20;

// --- code that is kept between runs (kernel_cache.h) ---

// Of all files; the oldest go beyond. Folders are looked through at one store in so many.
inline constexpr std::size_t cache_bytes = std::size_t{256} << 20;
inline constexpr unsigned stores_between_looks = 16;
inline constexpr std::size_t largest_entry = std::size_t{64} << 20;
// Seconds: temporary files of processes that did not finish.
inline constexpr std::time_t abandoned_after = 3600;

}  // namespace wave::jit
