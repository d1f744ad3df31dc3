// Holds what a model's processes do against a recording of the program, rank by rank.
#pragma once

#include "analysis/recorded/steps.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wave::analysis::recorded {

enum class CallOrder : std::uint8_t {
  strict,   // call by call
  by_wait,  // what is sent and posted between the same two waits may be in any order
};

struct Totals {
  std::int64_t messages = 0;
  double bytes = 0;
  std::int64_t partners = 0;     // that it sends to
  std::int64_t collectives = 0;  // calls of them
  std::int64_t calls = 0;        // of all kinds; exchanges are written alike
  friend bool operator==(const Totals&, const Totals&) = default;
};
Totals totals_of(const Steps& steps);

// The first call of a rank that is another: either may be missing, where the other one has ended.
struct Difference {
  std::optional<Step> in_program, in_model;
  // Of two waits: what one of them ends and the other does not.
  std::optional<Step> ended_in_program, ended_in_model;
  // How often the model came to the same call before.
  std::size_t times_before = 0;
};

struct Compared {
  // The axes of the model's grid from the one along which ranks run slowest to the fastest.
  std::vector<std::size_t> numbering;
  std::vector<Totals> program, model;  // by the recording's ranks
  std::vector<std::optional<Difference>> differences;
};

// Both have as many ranks, the model's in row-major order of its grid. Ranks are numbered along the axes in the order
// in which they send to whom they send to, and as much; row-major where that is as good.
Compared compare(const std::vector<Steps>& program, const std::vector<Steps>& model,
                 const std::vector<std::int64_t>& extents, CallOrder order);

}  // namespace wave::analysis::recorded
