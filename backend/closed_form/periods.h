// Where a scalar repeats along an index, found by looking at its expression instead of at every index.
#pragma once

#include "backend/closed_form/looks_at.h"
#include "backend/closed_form/scalars.h"

#include <optional>
#include <vector>

namespace wave::backend::closed_form {

// From first to last, the value at k + period is the value at k plus `increment`, exactly; or it fails at both.
struct Repetition {
  std::int64_t first = 0, last = 0, period = 1;
  double increment = 0;
  // Where it grows and is real: all values are multiples of this power of two, and below 2^53 of it.
  double granularity = 0;
};

// Covers first to last. Ranges in which nothing repeats come as one period. `length` at most is not looked into.
// Nothing where a period would be too long to be kept: a proof is refused then.
[[nodiscard]] std::optional<std::vector<Repetition>> repetitions(const ir::System& system,
                                                                 const Surroundings& surroundings, LooksAt& looks_at,
                                                                 ir::ValueId value, ir::BinderId axis,
                                                                 std::int64_t first, std::int64_t last,
                                                                 std::int64_t length);

}  // namespace wave::backend::closed_form
