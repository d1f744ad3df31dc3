// Exact time: weights are rounded once, to a quantum so fine that no sum of them rounds, and so coarse that
// every sum fits a double. docs/exact-time.md has the argument.
#pragma once

#include "ir/schedule.h"

#include <functional>
#include <variant>

namespace wave::ir {

struct Exactness {
  bool exact = false;       // false: plain IEEE doubles in the order written (general bodies, or no finite bound)
  double bound = 0;         // B: no value of the group is larger in magnitude
  double quantum = 0;       // the least power of two q with B < 2^52 q; 2^-52 for B = 0
  double error = 0;         // largest rounding error of a value: summands on the longest path * q / 2
};

// Values of definitions that the bound needs, asked of the engine. An engine answers from its own memory.
using DefinitionValue = std::function<std::variant<Scalar, Failure>(DefinitionId)>;

// The bound on the actual extents, by intervals over the indices: the number of steps on the longest path times
// the sum of |weights| of one step. The same function for every engine, on the system before any pass.
Exactness exactness(const System& system, const EventGroup& group, const std::vector<std::int64_t>& first,
                    const std::vector<std::int64_t>& last, const DefinitionValue& value_of);

// A weight on the quantum: to nearest even, -0 becomes 0. NaN and infinities are the caller's failure.
inline double quantize(double weight, double quantum) {
  // |weight| < 2^52 q, so adding and subtracting 1.5 * 2^52 q rounds to a multiple of q.
  const double shift = 6755399441055744.0 * quantum;
  return (weight + shift) - shift + 0.0;
}

}  // namespace wave::ir
