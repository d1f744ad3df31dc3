// Folds columns that lanes have filled into the result of a reduction, in the order of the iterations, as ir/scalar.h
// defines it.
#pragma once

#include "ir/scalar.h"

#include <cstddef>
#include <cstdint>

namespace wave::jit::lanes {

using Word = std::uint64_t;

struct ReductionColumns {
  const Word* body = nullptr;
  const std::uint8_t* counts = nullptr;  // null: every iteration counts
  const Word* value = nullptr;
  const std::uint8_t* value_good = nullptr;
};

// What scalar code has found so far.
struct ReductionState {
  Word result = 0, best = 0;
  bool found = false;
};

struct Folded {
  std::size_t iterations = 0;  // fewer than there are: what comes next is left to scalar code
  bool decided = false;
};

struct ReductionTypes {
  ir::ReduceKind kind;
  ir::ScalarType body, result;
};

Folded fold(const ReductionTypes& types, const ReductionColumns& columns, std::size_t count, ReductionState& state);

}  // namespace wave::jit::lanes
