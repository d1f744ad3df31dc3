// Runs the pieces of sweeps on compiled kernels, with the state of all processes behind their registers.
#pragma once

#include "backend/processes/bulk/plan.h"
#include "backend/processes/bulk/sweep_form.h"
#include "backend/processes/bulk/sweep_steps.h"

#include <exception>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace wave::backend::processes {

// Tiles [begin, end) of a piece, from 0, as a call, but for the state of the carried registers.
SweepCall call_of(const SweepPiece& piece, const std::vector<bool>& rising, const PlanGrid& grid, std::int64_t begin,
                  std::int64_t end);

// Looks at the clock where a call asks whether to go on. Calls go through compiled code, through which no exception may
// pass; what is thrown comes afterwards.
class ClockQuestions {
 public:
  explicit ClockQuestions(const std::function<void()>& look_at_clock) : look_at_clock_(look_at_clock) {}
  std::function<bool()> go_on();
  void rethrow() const {
    if (late_) std::rethrow_exception(late_);
  }

 private:
  const std::function<void()>& look_at_clock_;
  std::exception_ptr late_;
};

// What registers carry from one piece to the next, by process: the clocks, what is pending, and when resources are
// free.
class CarriedTimes {
 public:
  CarriedTimes(std::vector<double>& clocks, const std::function<void(std::int64_t bytes)>& claim)
      : clocks_(clocks), claim_(claim) {}
  ~CarriedTimes();
  CarriedTimes(const CarriedTimes&) = delete;
  std::vector<double>& of(const Carried& carried);  // made where it is not there yet
  // Nothing but these is pending any more.
  void keep(const std::vector<PendingOperation::Key>& pending);
  std::vector<double>& clocks() { return clocks_; }
  const std::map<Carried, std::vector<double>>& others() const { return others_; }
  // The clocks, and when resources are free, made to be no earlier than the clocks, before which nobody asks any more.
  std::vector<std::span<double>> settled();
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(clocks_.size() * (1 + others_.size()) * sizeof(double));
  }

 private:
  void give_back(const std::vector<double>& times) const;

  std::vector<double>& clocks_;
  const std::function<void(std::int64_t)>& claim_;
  std::map<Carried, std::vector<double>> others_;
};

class PlanKernels {
 public:
  PlanKernels(const PlanInput& input, const PlanGrid& grid, CarriedTimes& times, ClockMemory& memory)
      : input_(input), grid_(grid), times_(times), memory_(memory) {}

  // False: the kernels know no order for it; the state is as before. Throws Failed at the deadline.
  bool run(const SweepPiece& piece, const std::vector<bool>& rising);
  // Of the sweeps whose tiles might have been skipped.
  const TileCount& tiles() const { return tiles_; }
  void skip_tiles(double count) { tiles_.all += count; }

 private:
  const PlanInput& input_;
  const PlanGrid& grid_;
  CarriedTimes& times_;
  ClockMemory& memory_;
  TileCount tiles_;
};

}  // namespace wave::backend::processes
