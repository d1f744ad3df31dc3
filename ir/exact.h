// Exact time. Weights are rounded once, to a quantum that is so fine that no sum of them rounds, and so coarse that
// every sum fits a double. docs/exact-time.md has the argument.
#pragma once

#include "ir/schedule.h"

#include <functional>
#include <optional>
#include <variant>

namespace wave::ir {

struct Exactness {
  bool exact = false;  // if not: plain IEEE doubles in the order written (general bodies, or no finite bound)
  double bound = 0;    // B: no value of the group is larger in magnitude
  double quantum = 0;  // the least power of two q with B < 2^52 q, at least 2^-1022; 2^-52 for B = 0; 0 where not exact
  double error = 0;    // largest rounding error of a value: summands on the longest path * q / 2, and the
                       // error of sources in other groups (what weights read from events is taken as it is)
};

// The values of definitions that the bound needs. An engine answers from its own memory.
using DefinitionValue = std::function<std::variant<Scalar, Failure>(DefinitionId)>;

// The values of parameters of the frames around the group, if it is not in the root frame.
using ParameterValue = std::function<Scalar(ParameterId)>;

// The values of hoisted scalars (ir/schedule.h), not yet rounded; nothing for those that no cell needs.
using HoistedValue = std::function<std::optional<double>(ValueId)>;

// The bound on the actual extents: the number of steps on the longest path times the sum of |weights| of one step, with
// hoisted weights by their values and others by intervals over the indices. Every engine uses this function, on the
// system before any pass (the passes keep its answer). Definitions that fail do not matter: a cell that needs one
// fails.
Exactness exactness(const System& system, const EventGroup& group, const std::vector<std::int64_t>& first,
                    const std::vector<std::int64_t>& last, const DefinitionValue& value_of,
                    const ParameterValue& parameter_of = {}, const HoistedValue& hoisted_of = {});

// A weight on the quantum is `arithmetic::quantize` (ir/arithmetic.h). If a group is not exact, the quantum is 0 and
// weights keep their values. A constraint's source in another group has a quantum of its own, so its value is quantized
// like a weight when it is read.

}  // namespace wave::ir
