// See timeline.h.
#include "backend/processes/timeline.h"

#include "backend/processes/network_core.h"

namespace wave::backend::processes {

namespace {

// Plain times that tell when the clock of a process moves.
class ShownTimes {
 public:
  using Clock = double;
  static constexpr bool needs_causes = true;

  explicit ShownTimes(const std::function<void(const Stretch&)>& show) : show_(show) {}

  static double time(const Clock& clock) { return clock; }
  void advance(Clock& clock, double time, const Cause& cause) {
    if (time > 0 && is_of_process(clock))
      show_({cause.process, cause.kind, false, cause.statement, clock, clock + time});
    clock += time;
  }
  void join(Clock& clock, const Clock& other, const Cause& cause) {
    if (!(other > clock)) return;
    if (is_of_process(clock)) show_({cause.process, cause.kind, true, cause.statement, clock, other});
    clock = other;
  }

  // Whose clocks are those of the processes; others are of signals, resources and the background.
  const std::vector<Clock>* processes = nullptr;

 private:
  bool is_of_process(const Clock& clock) const {
    const std::less<const Clock*> before;
    const Clock* first = processes->data();
    return !before(&clock, first) && before(&clock, first + processes->size());
  }
  const std::function<void(const Stretch&)>& show_;
};

}  // namespace

void record_timeline(const NetworkInput& input, const std::function<void(const Stretch&)>& show) {
  ShownTimes times(show);
  network::Network<ShownTimes> network(input, input.process.blocks[input.process.body.index], times);
  times.processes = &network.clocks;
  network.run();
  if (!network.control().is_complete()) throw Failed{network::explain(network.control())};
}

}  // namespace wave::backend::processes
