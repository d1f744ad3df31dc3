// What an iteration reads and leaves behind.
#include "backend/processes/plan_iterations.h"

namespace wave::backend::processes {

bool Iterations::evaluate(std::int64_t steps) {
  for (; steps > 0 && !is_stopped_; --steps) is_stopped_ = !host_.evaluate();
  return !is_stopped_;
}

ClockArrays Iterations::clocks() {
  ClockArrays result;
  if (!host_.is_quiet()) return result;
  result.emplace_back(host_.state.clocks);
  return result;
}

void Iterations::expect(double seconds) {
  if (host_.expect && !is_stopped_) host_.expect(seconds);
}

void Iterations::exceed(double clock) {
  if (host_.exceed) host_.exceed(clock);
}

ClockArrays Iterations::phases(std::vector<double> ProcessState::PhaseClocks::* array) {
  ClockArrays result;
  for (ProcessState::PhaseClocks& phase : host_.state.phases) {
    if (phase.wanted()) result.emplace_back(phase.*array);
  }
  return result;
}

}  // namespace wave::backend::processes
