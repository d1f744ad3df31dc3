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
    if (time > 0 && (is_in(clock, *processes) || is_in(clock, *processors)))
      show_({cause.process, cause.kind, false, cause.statement, clock, clock + time});
    clock += time;
  }
  void join(Clock& clock, const Clock& other, const Cause& cause) {
    if (!(other > clock)) return;
    if (is_in(clock, *processes)) show_({cause.process, cause.kind, true, cause.statement, clock, other});
    clock = other;
  }

  // Whose clocks are those of the processes and, for what arrives, of their processors; others are of signals, resources
  // and the background.
  using Moments = std::vector<network::Moment<ShownTimes>>;
  const Moments *processes = nullptr, *processors = nullptr;

 private:
  static bool is_in(const Clock& clock, const Moments& moments) {
    const std::less<const void*> before;
    return !before(&clock, moments.data()) && before(&clock, moments.data() + moments.size());
  }
  const std::function<void(const Stretch&)>& show_;
};

}  // namespace

void record_timeline(const NetworkInput& input, const std::function<void(const Stretch&)>& show) {
  ShownTimes times(show);
  network::Network<ShownTimes> network(input, input.process.blocks[input.process.body.index], times);
  times.processes = &network.clocks;
  times.processors = &network.processors();
  network.run();
  if (!network.control().is_complete()) throw Failed{network::explain(network.control())};
}

}  // namespace wave::backend::processes
