// See critical_steps.h.
#include "backend/processes/path/critical_steps.h"

#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

ProcessPlan::Wanted wanted(const ir::Process& process, ir::PhaseId phase) {
  ProcessPlan::Wanted wanted{std::vector<bool>(process.phases.size(), false), true};
  if (phase.valid()) wanted.phases[phase.index] = true;
  return wanted;
}

}  // namespace

PathSteps::PathSteps(const ProgramInput& input, SweepKernels& kernels, ir::PhaseId phase)
    : kernels_(kernels), plan_(input, wanted(input.process, phase)) {}

bool PathSteps::find() {
  return plan_.for_each([this](const PlanPart& part) {
    const bool is_added = std::visit([this](const auto& one) { return add(one); }, part);
    return is_added ? Taken::done : Taken::refused;
  });
}

bool PathSteps::add(PathStep step) {
  if (list_.size() >= most_steps_of_path) return false;
  list_.push_back(std::move(step));
  return true;
}

bool PathSteps::add(const part::Straight& part) {
  return part.stretch->operations == 0 || add(PathStep{.stretch = part.stretch});
}

// So many tiles together as their record has room.
bool PathSteps::add(const part::Tiles& part) {
  const SweepPiece& piece = *part.piece;
  SweepRecord record;
  SweepCall call = call_of(piece, part.rising, grid(), 0, piece.tiles);
  double wanted = 0;  // each of the carried registers is
  call.state.assign(piece.carried.size(), &wanted);
  call.record = &record;
  const SweepKernels::Needs needs = kernels_.needs(piece.body, call);
  const double most = static_cast<double>(most_bytes_of_records) / std::max(needs.record, 1.0);
  auto together = static_cast<std::int64_t>(std::min(std::max(most, 1.0), 0x1p62));
  if (together > needs.together) together -= together % needs.together;
  for (std::int64_t begin = 0; begin < piece.tiles; begin += together) {
    const std::int64_t end = begin + std::min(together, piece.tiles - begin);
    if (!add(PathStep{.piece = part.piece, .rising = part.rising, .begin = begin, .end = end})) return false;
  }
  return true;
}

bool PathSteps::add(const part::Pending& part) {
  if (!list_.empty()) list_.back().open = part.operations;
  return true;
}

bool PathSteps::add(const part::CollectiveCost& part) { return add(PathStep{.collective = part}); }

bool PathSteps::add(const part::PhaseBound& part) {
  marks_.push_back({list_.size(), part.enters});
  return true;
}

bool PathSteps::add(const part::Repetition& part) {
  for (std::int64_t i = 0; i < part.count; ++i) {
    if (!part.once()) return false;
  }
  return true;
}

}  // namespace wave::backend::processes
