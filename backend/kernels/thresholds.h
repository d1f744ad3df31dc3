// The measurements that decide whether something is handed to a kernel.
#pragma once

#include <cstddef>

namespace wave::backend::kernels {

// Interpreted cells and iterations take about so long a node: `wave run --engine interpreter` on the recurrences and
// reductions of bench/, 20 to 40 ns.
inline constexpr double seconds_per_node = 30e-9;
// Compiling a kernel takes about so long, with loading what compiles it: `wave run --engine jit --no-cache` on
// examples/sweep3d and examples/lu.
inline constexpr double seconds_to_compile = 25e-3;
// Handing something to a kernel that is there.
inline constexpr double seconds_to_start = 20e-6;
// Calls of a function before it counts as hot, and before its code is worth optimising: they take about as long as that
// (some 1.5 us each, `wave run --engine interpreter` on a function of a few nodes).
inline constexpr std::size_t calls_until_hot = 15'000, calls_until_very_hot = 500'000;
inline constexpr double seconds_per_call = 1.5e-6;
// Nodes of a value that is evaluated before the kernel runs, needed or not: 6 us.
inline constexpr std::size_t most_nodes_of_quick = 200;

}  // namespace wave::backend::kernels
