// See encoded_sweeps.h.
#include "tests/unit/plan/encoded_sweeps.h"

#include <deque>
#include <vector>

namespace wave::test {

using namespace backend::processes;

SweepKernels::Outcome EncodedSweeps::run(const SweepBody& body, const SweepCall& call) {
  std::size_t processes = 1;
  for (const std::int64_t extent : call.extents) processes *= static_cast<std::size_t>(extent);
  std::deque<std::vector<double>> arrays;
  SweepCall encoded = call;
  for (SweepCall::Weight& weight : encoded.weights) {
    if (weight.by_process || weight.by_tile || random_() % 3 == 0) continue;
    const bool by_process = random_() % 2 == 0;
    const std::size_t count = by_process ? processes : static_cast<std::size_t>(call.tiles);
    (by_process ? weight.by_process : weight.by_tile) = arrays.emplace_back(count, weight.value).data();
    ++spread;
  }
  // A call whose registers begin or end nowhere, or that is recorded, is one.
  bool may_divide = call.tiles > 1 && !call.record;
  for (const double* const state : call.state) may_divide = may_divide && state;
  if (!may_divide) return kernels_.run(body, encoded);
  ++divided;
  const auto first = 1 + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(call.tiles - 1));
  SweepCall part = encoded;
  part.tiles = first;
  if (const Outcome outcome = kernels_.run(body, part); outcome != Outcome::done) return outcome;
  part.tiles = call.tiles - first;
  for (SweepCall::Weight& weight : part.weights) {
    if (weight.by_tile) weight.by_tile += first;
  }
  const Outcome outcome = kernels_.run(body, part);
  return outcome == Outcome::done ? outcome : Outcome::stopped;  // the state is no longer as before
}

}  // namespace wave::test
