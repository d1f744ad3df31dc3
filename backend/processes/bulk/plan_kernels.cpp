// A piece of a sweep as a call of a kernel, and what lies behind its registers.
#include "backend/processes/bulk/plan_kernels.h"

#include "backend/processes/claimed.h"
#include "backend/processes/never.h"

#include <algorithm>

namespace wave::backend::processes {

std::vector<double>& CarriedTimes::of(const Carried& carried) {
  if (!carried.pending && !carried.resource) return clocks_;
  std::vector<double>& times = others_[carried];
  if (times.empty()) {
    claim_(static_cast<std::int64_t>(clocks_.size() * sizeof(double)));
    times.assign(clocks_.size(), never);
  }
  return times;
}

CarriedTimes::~CarriedTimes() {
  for (const auto& [carried, times] : others_) give_back(times);
}

void CarriedTimes::give_back(const std::vector<double>& times) const {
  if (!times.empty()) claim_(-static_cast<std::int64_t>(times.size() * sizeof(double)));
}

void CarriedTimes::keep(const std::vector<PendingOperation::Key>& pending) {
  std::erase_if(others_, [&](const auto& held) {
    const auto& [carried, times] = held;
    if (carried.resource || std::ranges::find(pending, *carried.pending) != pending.end()) return false;
    give_back(times);
    return true;
  });
}

std::vector<std::span<double>> CarriedTimes::settled() {
  std::vector<std::span<double>> all{clocks_};
  for (auto& [carried, times] : others_) {
    if (!carried.resource) continue;
    std::ranges::transform(times, clocks_, times.begin(), [](double free, double now) { return std::max(free, now); });
    all.emplace_back(times);
  }
  return all;
}

SweepCall call_of(const SweepPiece& piece, const std::vector<bool>& rising, const PlanGrid& grid, std::int64_t begin,
                  std::int64_t end) {
  SweepCall call;
  call.extents = grid.extents();
  call.rising = rising;
  call.tiles = end - begin;
  call.tiles_of_sweep = piece.tiles;
  for (std::size_t i = 0; i < piece.weights.size(); ++i) {
    SweepCall::Weight& weight = call.weights.emplace_back();
    const std::vector<double>& by_tile = piece.by_tile[i];
    weight.value = piece.weights[i]->values.front();
    if (!piece.weights[i]->uniform())
      weight.by_process = piece.weights[i]->values.data();
    else if (std::any_of(by_tile.begin(), by_tile.end(), [&](double x) { return x != weight.value; }))
      weight.by_tile = by_tile.data() + begin;
  }
  return call;
}

std::function<bool()> ClockQuestions::go_on() {
  return [this] {
    try {
      look_at_clock_();
    } catch (...) {
      late_ = std::current_exception();
    }
    return !late_;
  };
}

bool PlanKernels::run(const SweepPiece& piece, const std::vector<bool>& rising) {
  SweepCall call = call_of(piece, rising, grid_, 0, piece.tiles);
  call.tiles_of_sweep = 0;
  for (const Carried& carried : piece.carried) call.state.push_back(times_.of(carried).data());
  ClockQuestions questions(input_.program.look_at_clock);
  call.go_on = questions.go_on();
  const double buffers = std::min(input_.kernels.needs(piece.body, call).bytes, 0x1p62);
  const Claimed claimed(input_.program.claim_memory, static_cast<std::int64_t>(buffers));
  const TileSetting setting{0x1p52 * input_.program.quantum, memory_, input_.expect, input_.exceed};
  const bool is_done = input_.shortcuts ? run_tiles(input_.kernels, piece.body, call, setting, tiles_)
                                        : input_.kernels.run(piece.body, call) == SweepKernels::Outcome::done;
  questions.rethrow();
  return is_done;
}

}  // namespace wave::backend::processes
