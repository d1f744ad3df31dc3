// Runs a loop whose iterations are all the same, and skips those that identical_steps.h proves to be like others.
#pragma once

#include "backend/processes/clock_arrays.h"
#include "backend/processes/identical_steps.h"
#include "backend/processes/process_state.h"

#include <functional>

namespace wave::backend::processes {

class Iterations final : public IdenticalSteps {
 public:
  struct Host {
    ProcessState& state;
    ClockMemory& memory;
    std::function<bool()> evaluate;  // one iteration; false: no more of them
    std::function<bool()> is_quiet;  // nothing is pending
    std::function<void(double seconds)> expect;
    std::function<void(double clock)> exceed;
  };
  explicit Iterations(Host host) : host_(std::move(host)) {}

  bool evaluate(std::int64_t steps) override;
  ClockArrays clocks() override;
  ClockArrays sums() override { return phases(&ProcessState::PhaseClocks::spent); }
  ClockArrays marks() override { return phases(&ProcessState::PhaseClocks::left); }
  void expect(double seconds) override;
  void exceed(double clock) override;
  ClockMemory& memory() override { return host_.memory; }

 private:
  ClockArrays phases(std::vector<double> ProcessState::PhaseClocks::* array);
  Host host_;
  bool is_stopped_ = false;
};

}  // namespace wave::backend::processes
