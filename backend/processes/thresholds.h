// The numbers that decide between ways to evaluate a process, or bound what an attempt may cost, by the file that uses
// them. None of them changes a result, unless its comment says so. Facts (widths of fields, ranges of integers) stand
// where they are used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wave::backend::processes {

// --- accounts_statements.cpp, load.cpp, plan_walk.cpp ---

// A deadline is noticed this late. A step evaluates some scalars, 30 ns a node (backend/kernels/choice.h), so this is a
// fraction of a millisecond.
inline constexpr std::uint64_t walk_steps_between_clock_reads = 1024;

// --- region_scalars.cpp ---

// Combinations of indices for which values are held at the same time: 8 MB for each of at most three values.
inline constexpr std::size_t most_combinations = 1 << 20;

// --- count_walk.cpp ---

// Blocks that wait to be counted once for all rounds in which they are reached: some 300 bytes each.
inline constexpr std::size_t most_blocks_put_off = 1 << 14;

// --- counts.cpp, count_pairs.cpp ---

// Processes times phases that are counted together when a second process is asked about: some 60 MB.
inline constexpr double most_counts_of_processes = 1 << 20;
// Messages that are put together by pair and size at a time: 3 MB.
inline constexpr std::size_t least_pairs_together = 1 << 16;

// --- array_program.cpp, array_run.cpp ---

// Processes of a block that is left by no message: 128 KB an array, a few of which stay in a second cache. Of any other
// block: 16 KB an array, in a first.
inline constexpr std::int32_t most_processes_of_block = 1 << 14, processes_of_plain_block = 1 << 11;
// Servers of a batch of requests that a thread takes at a time.
inline constexpr std::size_t servers_of_chunk = 256;
// Requests of a server that are put in order one by one, which is quick where they are nearly.
inline constexpr std::size_t few_requests = 48;
inline constexpr std::size_t most_orders_remembered = 64;  // of batches
// Steps of all processes from which threads are worth it: half a millisecond.
inline constexpr double steps_worth_threads = 2e6;

// --- clock_arrays.cpp ---

// Clocks of each array that are looked at after every block, before any array is compared as a whole: 4 KB of them.
inline constexpr std::size_t most_clocks_sampled = 512;
// Compared before a comparison that has failed stops: 32 KB of each array.
inline constexpr std::size_t clocks_compared_together = 4096;
// If the clocks of a sample have risen by no more different amounts, it is tried whether each rises by its own again.
inline constexpr std::size_t most_different_rises = 12;

// --- engine/channels.h, engine/channels.cpp ---

// Other channels are found by their receiver in tables of their kind, as far as these take no more; else by hashing.
inline constexpr std::size_t most_bytes_of_tables = 16 << 20;
// Kinds of channels that a message statement remembers, where its tag or offset varies: some 6 KB.
inline constexpr std::size_t kinds_of_statement = 64;
// Kinds of channels that lie with the process that receives on them (40 bytes and a ring each); others are looked up.
inline constexpr std::size_t most_kinds_at_home = 16;

// --- engine/rings.cpp ---

// The rings of messages on their way: of the processes that are run together they are meant to stay in a second cache,
// and of all not to take much memory. They grow where nothing else can move; those that begin with few messages also
// when they are full, up to what others begin with.
inline constexpr double bytes_of_rings_in_cache = 1 << 19, bytes_of_rings = 1 << 26;
inline constexpr double most_messages_of_ring = 64;
inline constexpr std::uint32_t few_messages_of_ring = 4;
// Memory for rings is claimed in such pieces.
inline constexpr std::size_t bytes_of_ring_chunk = 1 << 16;

// --- engine/pieces.cpp ---

// What pieces of a program take is kept for so many.
inline constexpr std::size_t most_pieces_kept = 16;
// From what instructions would take on, or from so many operations of the run before, threads are worth it: some
// milliseconds of machine code, where to begin on another thread takes a tenth of one.
inline constexpr double seconds_worth_threads = 0.1, operations_worth_threads = 5e5;
// So many processes have some blocks, of which one in three can be run at a time where they stand in a row.
inline constexpr double least_processes_of_thread = 16;

// --- engine/runtime.cpp, engine/blocks.cpp, engine/rings.cpp ---

// Processes that are run until none of them can go on, before others are: 16 x 16 of a plane. Each takes 1 to 2 KB, and
// goes on by about half the edge of a block in a turn where neighbours depend on each other, so that it is fetched from
// memory less often.
inline constexpr double processes_of_block = 256;
// Blocks of a thread, at least, where these are smaller: neighbours have to wait while a block is run.
inline constexpr double blocks_of_thread = 4;
// Turns of processes before a block is given back, on average, from which more than one thread are quicker, as seen in
// so many blocks: to hand one over takes some microseconds.
inline constexpr std::uint64_t least_turns_of_block = 64, blocks_until_judged = 256;
// Of more blocks, which take tens of megabytes, all processes of one are fetched before they are run, unless these are
// fewer than one in so many.
inline constexpr std::size_t blocks_in_cache = 64, few_of_block = 8;
// Of the process that comes next in its block.
inline constexpr std::size_t bytes_fetched_of_next = 768;
// A turn of a process passes some messages, 20 ns each, so this is a fraction of a millisecond.
inline constexpr std::uint32_t turns_between_clock_reads = 1024;

// --- path/listed_processes.cpp ---

// What processes that a critical path touches have done is forgotten when it takes more. Paths come back to neighbours.
inline constexpr std::int64_t bytes_of_listings = 1 << 27;

// --- engine/served.cpp ---

// Processes of a window that are fetched before they are looked at: each takes 0.3 us and some 300 bytes.
inline constexpr std::size_t processes_fetched_ahead = 4;

// --- bulk/streams.h ---

// Pieces of sweeps that are put off to be run together. Each is kept once, with its operations
// in the programs of up to `most_codes_of_streams` processes.
inline constexpr std::size_t most_pieces_of_streams = 4096;
inline constexpr std::size_t most_operations_of_streams = 1 << 14;
inline constexpr std::size_t bytes_of_streamed_operation = 8192;
// The search for what may still come adds up the operations of a tile.
inline constexpr std::size_t most_operations_of_streamed_tile = 512;
// Of the memory for what is on its way, what is claimed at a time, in times: 64 KB; and what a stream begins with.
inline constexpr std::size_t times_of_stream_chunk = 1 << 13;
inline constexpr std::uint32_t least_times_of_stream = 16;
// A sender that is this many messages ahead waits, 16 KB a stream. It may go further where nobody else can go on.
inline constexpr std::uint32_t most_waiting_in_stream = 2048;
inline constexpr std::uint32_t most_waiting_at_all = 1 << 28;
inline constexpr std::int64_t tiles_between_looks_for_room = 64;
inline constexpr std::uint64_t looks_between_clock_reads = 32;
inline constexpr std::uint64_t visits_between_clock_reads = 4096;
// Programs of processes that are kept for a piece; where more differ, as by noise, each is made when its turn comes.
inline constexpr std::size_t most_codes_of_streams = 64;
// Neighbours that are asked when something arrives at the earliest, each of which waits for the next; and the sweeps
// that are looked through for it.
inline constexpr int most_neighbours_asked = 1024;
inline constexpr std::size_t most_pieces_asked = 8;
// Visits of a process, before it is looked whether they are worth it: each takes some 100 ns.
inline constexpr double least_looks_of_streams = 1024;

// --- program/fractional_sizes.cpp ---

// Statements of processes that are looked through for messages with sizes that are no whole numbers: some milliseconds.
inline constexpr std::size_t most_looked_at_for_sizes = 100'000;

// --- path/critical.cpp ---

// Weights of a statement that a critical path keeps apart, some 300 bytes each. Others change what is shown.
inline constexpr std::size_t most_weights_of_path = 100'000;

// --- critical_plan.cpp, critical_steps.cpp, plan_stretches.cpp ---

// Records of the tiles that are followed back together (two bits a maximum, process and tile), and clocks on the way (8
// bytes a process each). With both, Sweep3D on 1000 x 1000 processes took 272 MB in all (docs/limits.md).
inline constexpr std::size_t most_bytes_of_records = 192 << 20, most_bytes_of_states = 192 << 20;
// So many states are kept even if they take more.
inline constexpr std::size_t least_states_kept = 4;
// More pieces of a program are left to the engine: some 10 MB besides what they point to.
inline constexpr std::size_t most_steps_of_path = 100'000;

// --- identical_steps.cpp, identical_steps.h ---

// Steps that repeat every p-th time are found up to this p; each p is one more comparison of samples a block.
inline constexpr std::size_t longest_period = 4;
// Of fewer blocks there is none that could be worth skipping.
inline constexpr std::int64_t least_blocks_left = 4;
// Blocks that are evaluated without a look after one was in vain, twice as many each time: where costs are random,
// comparisons take a few percent (docs/shortcuts.md).
inline constexpr std::int64_t first_pause = 8, longest_pause = 4096;
// Places on a line of clocks that are tried, each for the price of a block.
inline constexpr int most_attempts_on_line = 3;
// What is measured before it is said how long the rest takes (docs/processes.md).
inline constexpr double seconds_for_estimate = 0.5;

// --- sweep_steps.cpp, identical_steps.h ---

// Blocks that have to be skipped to be worth the copies of all clocks: a copy takes as long as one or two blocks, or a
// quarter of one where clocks stay in a cache, as those of 2^17 processes, 1 MB, do.
inline constexpr std::int64_t least_skip = 24, least_skip_in_cache = 6;
inline constexpr std::size_t most_processes_in_cache = std::size_t{1} << 17;
// Tiles after which weights are looked for to come again. Each length costs a pass over the weights by tile.
inline constexpr std::int64_t longest_pattern_of_tiles = 64;
// Fewer blocks of tiles are evaluated without a look at their clocks.
inline constexpr std::int64_t least_blocks_alike = 6;

// --- kept_stretches.cpp ---

// Lists of operations, and what they look at, that evaluations of a process hand on; several that run side by side keep
// as much each. Ten halo exchanges on 64 processes are one list of 250 operations, some 50 KB.
inline constexpr std::size_t most_lists_kept = 64, most_bytes_kept = 4 << 20;

// --- engine/deadlock.cpp ---

// Waiting statements that the report of a deadlock points at; changes its text.
inline constexpr std::size_t most_deadlock_labels = 8;

// --- engine/instructions.cpp ---

// Each takes some 20 to 50 ns, so this is a fraction of a millisecond.
inline constexpr std::uint64_t instructions_between_clock_reads = 4096;

// --- engine/served_messages.cpp, engine/unpaired.cpp, engine/whole_program.cpp ---

// A process that is this many messages ahead of a receiver lets others go first. Otherwise a sender would go on to the
// end of its program, with all of its messages in memory.
inline constexpr std::int32_t messages_far_ahead = 64;
// Times of received messages that a channel with a window remembers beyond the last one needed; 16 bytes and more each.
inline constexpr std::int64_t receptions_kept = 4096;

// --- program/bytecode.cpp ---

// Much more than anyone writes, and little enough to be held.
inline constexpr std::size_t most_instructions = std::size_t{1} << 26;

// --- program/values.cpp ---

// An operand has an entry for every place that it looks at up to `most_places_of_operand` of them, and as long as all
// operands have no more than `most_entries_of_operands` (24 bytes each on one axis, so 24 MB); others share a few.
inline constexpr std::size_t few_entries_of_operand = 256;
inline constexpr double most_places_of_operand = 1 << 16;
inline constexpr std::size_t most_entries_of_operands = 1 << 20;

// --- peer_map.cpp ---

// Peers are kept process by process, 4 bytes each, where runs of them, 12 bytes each, would be shorter than this, as
// far as there are more than a few runs.
inline constexpr std::size_t least_run = 8, few_runs = 64;

// --- plus_runs.cpp ---

// What is added by process is kept apart from times as long as runs of the same sum have so many processes on average:
// with each run the loops over them begin anew, which takes as long as some 30 processes.
inline constexpr std::size_t least_processes_of_plus = 32;

// --- plan_parts.cpp, plan_stretches.cpp ---

// From this many processes on, 2 MB for every value that varies, what could not be written out is not tried again.
inline constexpr std::size_t large_grid = 1 << 18;
// Stretches that are remembered, to be run again as they are.
inline constexpr std::size_t most_stretches_remembered = 256;
// Pieces of a sweep before any is carried out. Until then a later one may leave all to the engine.
inline constexpr std::size_t most_pieces_held = 16;

// --- plan_bulk.h, plan_bulk.cpp, plan_fields.cpp ---

// Processes that a scalar is evaluated for at a time: a column of values is 16 KB.
inline constexpr std::size_t processes_in_bulk = 1024;
// Nodes inside each other that are evaluated in bulk; deeper ones are asked of the engine. Bounds the stack.
inline constexpr std::size_t most_depth_in_bulk = 1000;

// --- plan_ends.cpp ---

// Combinations of size and place that one statement resolves: some 20 MB.
inline constexpr std::size_t most_resolved_ends = 65'536;
// Protocols of different steps that one statement takes. A body holds the operations of all of them.
inline constexpr std::size_t most_alternatives = 8;
// Answers that are remembered; a question is compared with each.
inline constexpr std::size_t most_ends_remembered = 512;
// Processes and places that take a protocol.
inline constexpr std::size_t ends_between_clock_reads = 4096;

// --- plan_fields.cpp ---

// Values of a field from which its memory is claimed: 32 KB.
inline constexpr std::size_t large_field = 4096;
// Everything is forgotten at 256 MB of large fields, or with so many fields of any size.
inline constexpr std::int64_t most_bytes_of_fields = std::int64_t{1} << 28;
inline constexpr std::size_t most_fields_known = 20'000;
// Parts of a value that are evaluated for every tile to see whether it is the same, and the nodes in which they are
// looked for, once; with more it counts as different in every tile.
inline constexpr std::size_t most_parts_of_value = 16, most_nodes_of_parts = 1000;

// --- plan_operations.cpp, plan_order.h ---

// A stretch of more is left to the engine: 1 MB of operations.
inline constexpr std::size_t most_planned_operations = 8192;
// Operations that are still pending at the end of a stretch: each keeps 8 bytes a process.
inline constexpr std::size_t most_pending = 64;

// --- plan_walk.cpp ---

// Statements of a stretch, with its loops written out: 200 KB besides the fields that they look at, which may take as
// much memory as fields may in all.
inline constexpr std::size_t most_walked_steps = 2048;

// --- program_uses.cpp ---

// Offsets beyond it are rare, and would make as many classes of places.
inline constexpr std::int64_t furthest_offset = 100;

// --- quantum.cpp ---

// Iterations that are walked to guess the quantum, before one stands for all that are left: 30 ns a node
// (backend/kernels/choice.h), so milliseconds, cheap next to the evaluation.
inline constexpr double most_iterations_guessed = 10'000;
// The first axes, whose corners are walked: 16 processes at most, and two more.
inline constexpr std::size_t most_cornered_axes = 4;

// --- run.cpp ---

// Processes whose accounts are asked for. Each may take a walk over its program.
inline constexpr std::size_t ranks_between_clock_reads = 256;
// Clocks that are set up: 8 MB, a few milliseconds where their memory is new.
inline constexpr std::size_t clocks_between_clock_reads = std::size_t{1} << 20;

// --- run_limits.cpp ---

// For an estimate before anything has been measured, on the low side, since what it finds too long is refused: what a
// weight takes by instructions (docs/processes.md); what it takes a
// thread where sweeps are compiled (bench/README.md: 0.15 ns for a block of several); and what a process takes where
// most weights may be skipped (8 bytes at 40 GB/s).
inline constexpr double seconds_per_summand = 10e-9;
// What a weight takes by instructions, by which it is decided whether its program is compiled: 350 ns a message of
// three.
inline constexpr double instruction_seconds_per_summand = 100e-9;
inline constexpr double compiled_seconds_per_summand = 2e-12;
inline constexpr double seconds_per_process = 0.2e-9;
// So many times the time that is left: what is estimated on the way to take longer is refused.
inline constexpr double hopeless = 3;

// --- engine/program_host.cpp ---

// More of them are refused: they are copied as their list grows, which may take a second.
inline constexpr std::size_t most_tasks_of_list = std::size_t{1} << 22;

// --- sweep_direct.cpp ---

// Between questions whether to go on, which are asked after a tile.
inline constexpr double operations_between_questions = 1e5;

// --- sweep_form.cpp ---

// Tiles of a piece whose weights differ by tile: 512 KB a weight.
inline constexpr std::int64_t most_tiles_of_piece = 65'536;

}  // namespace wave::backend::processes
