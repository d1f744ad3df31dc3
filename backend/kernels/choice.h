// Whether something is handed to a kernel, and the measurements that decide it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace wave::backend::kernels {

class Kernels;

enum class Policy {
  never,
  when_worth_it,  // where evaluating it as it is would take longer than compiling it
  always,         // wherever there is something to compile
};

// The kernels of an engine, loaded when they are first asked for. Null: there are none.
using Provider = std::function<Kernels*()>;

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

// For tests: asked in place of every choice of a policy that is not `never`. Nothing: as the policy says.
void decide_by(std::function<bool()> decision);
std::optional<bool> decided();

}  // namespace wave::backend::kernels
