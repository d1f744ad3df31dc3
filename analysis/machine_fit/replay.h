// Runs the machine that was written on the patterns of the benchmarks that were measured (`std.benchmarks`), and sets
// what they print beside the measurements. Nothing of the fit's formulas is used: its text goes through the front end
// and an engine like any program.
#pragma once

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/timings.h"

#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

// A measured time, and the same from the machine. Repeated measurements are one, their median.
struct ReplayedTime {
  std::string benchmark;              // "osu_mbw_mr"
  std::string on;                     // "16 pairs, within node"; empty: one pair that shares nothing
  double size = 0;                    // bytes
  double measured = 0, replayed = 0;  // us; of streams from one message of a pair to the next
  double bandwidth_of = 0;            // streams print this many bytes over that time, in MB/s; 0: they print the time
  double deviation = 0;               // of such times, relative, as the fit has it

  double printed(double time) const { return bandwidth_of > 0 ? bandwidth_of / time : time; }
  std::string_view unit() const { return bandwidth_of > 0 ? "MB/s" : "us"; }
  // Of what is printed, relative.
  double error() const { return printed(replayed) / printed(measured) - 1; }
  // By more than three standard deviations.
  bool is_off() const;
};

struct Replay {
  std::vector<ReplayedTime> times;
  std::vector<std::string> notes;  // what was not replayed, and why

  std::size_t off() const;
};

struct ReplayedMachine {
  std::string text, name;
};

// The machine that was written of a fit to the timings. What is wild was set aside, and is not replayed. All takes a
// minute at most.
Replay replay(const ReplayedMachine& machine, const MachineFit& fit, const Timings& timings);
Replay replay(const ReplayedMachine& machine, const InterfaceFit& fit, const Timings& timings);

}  // namespace wave::analysis::machine_fit
