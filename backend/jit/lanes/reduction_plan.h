// Which reductions can have their iterations side by side in vector lanes, told from the system alone; and how compiled
// code and the host talk about one while it runs (emit_reduction.h, reduction_run.h).
#pragma once

#include "ir/dependences.h"
#include "ir/system.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace wave::jit::lanes {

// The binders of loops further out that an iteration of the innermost level looks at, in order of their ids.
std::vector<ir::BinderId> outer_binders(const ir::FreeBinders& free, const ir::Reduce& node);

// The innermost level of a reduction, seen from a frame. Lanes evaluate its filter, its body and its value for many
// indices and write them into columns; the host folds the columns in the order of the indices. Nothing fails in lanes
// and nothing is written elsewhere: where an iteration is not good they stop, and scalar code goes on.
struct ReductionPlan {
  ReductionPlan(const ir::System& system, ir::ValueId reduction, ir::FrameId frame);

  bool possible() const { return obstacle.empty(); }
  std::string obstacle;
  const ir::Level* level = nullptr;
  bool has_body = false, has_value = false;  // columns
  std::vector<ir::BinderId> binders;         // outer_binders
  // Definitions that it looks at, of the frame and those around it: they are evaluated before, since they neither fail
  // nor take long. (Of others lanes ask whether they have been.)
  std::vector<ir::DefinitionId> ahead;
  std::size_t nodes = 0;
};

// Beyond these no test of overflow could be left out. The host looks at indices, compiled code at the rest.
inline constexpr std::int64_t largest_index = std::int64_t{1} << 25;
inline constexpr std::int64_t largest_integer = std::int64_t{1} << 26;

// What scalar code tells the host and is told, in words; then come the binders.
struct ReductionWords {
  static constexpr std::uint32_t index = 0;  // the next one
  static constexpr std::uint32_t step = 1;
  static constexpr std::uint32_t left = 2;    // iterations
  static constexpr std::uint32_t result = 3;  // what has been found so far, as scalar code has it
  static constexpr std::uint32_t found = 4;
  static constexpr std::uint32_t best = 5;
  static constexpr std::uint32_t number = 6;
  static constexpr std::uint32_t asked = 7;   // how often, in this loop
  static constexpr std::uint32_t done = 8;    // out: iterations
  static constexpr std::uint32_t scalar = 9;  // out: so many iterations follow by scalar code before it asks again
  static constexpr std::uint32_t binders = 10;
};
inline constexpr std::int64_t never_again = std::numeric_limits<std::int64_t>::max();

// The host's answer.
enum ReductionAnswer : std::int32_t { go_on = 0, has_failed = 1, is_decided = 2 };

// What the code in lanes is told: words, then the binders. It returns 1 where an integer is larger than it can take.
struct ReductionArguments {
  static constexpr std::uint32_t index = 0, step = 1, count = 2;
  static constexpr std::uint32_t body = 3;    // addresses of columns: words
  static constexpr std::uint32_t counts = 4;  // bytes: the filter
  static constexpr std::uint32_t value = 5;
  static constexpr std::uint32_t value_good = 6;  // bytes
  static constexpr std::uint32_t done = 7;        // out: iterations that are good
  static constexpr std::uint32_t binders = 8;
};

std::string reduction_symbol(ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes);

}  // namespace wave::jit::lanes
