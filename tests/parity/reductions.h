// What tests of reductions in lanes share.
#pragma once

#include "tests/parity/compare.h"

#include <chrono>

namespace wave::parity {

// The destructor withdraws what was forced.
class LaneWish {
 public:
  explicit LaneWish(const jit::LaneWishes& wishes) { backend::wish_jit_lanes(wishes); }
  LaneWish(const LaneWish&) = delete;
  ~LaneWish() { backend::wish_jit_lanes({}); }
};

struct CheckedReductions {
  std::string difference;
  std::uint64_t in_lanes = 0;  // iterations
  std::size_t failures = 0, roots = 0;
};

inline CheckedReductions check_reductions(const ir::System& system) {
  backend::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  const auto interpreter = engine(backend::EngineKind::interpreter, system);
  const auto jit = engine(backend::EngineKind::jit, system);
  const Comparison comparison = compare(system, *interpreter, *jit, {}, limits);
  return {comparison.difference, backend::jit_counts(*jit).iterations_in_lanes, comparison.failures, comparison.roots};
}

}  // namespace wave::parity
