// From measured times to the parameters of a machine. docs/fit-a-machine.md says what is fitted, and how.
#pragma once

#include "analysis/machine_fit/segments.h"
#include "analysis/machine_fit/timings.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

enum class ProtocolKind { eager, rendezvous };
std::string_view name_of(ProtocolKind protocol);

enum class ParameterUnit { time, time_per_byte, size, plain };
std::string_view unit_of(ParameterUnit dimension);  // "us", "us/B", "B", ""

// A measured time that was set aside: so far from what the fit expects that it is wild, not noise.
struct WildTime {
  std::string of;  // "one message", "broadcast"
  double size = 0, time = 0, expected = 0;
  frontend::Location location = {};  // of the time
  std::string on = {};               // "8 processes", "16 pairs"; empty: two processes
};

// One number of the machine. Times in microseconds, sizes in bytes.
struct MachineParameter {
  std::string name;  // "L", "o_1", "G_2"
  ParameterUnit dimension = ParameterUnit::time;
  double value = 0;
  double standard_error = 0;    // 0 if it is not fitted, but assumed or chosen
  double lower = 0, upper = 0;  // the interval
  std::string meaning;          // "latency"
  std::string origin;           // "fitted to 12 sizes, 1 B to 1 KiB"
  bool assumed = false;
  frontend::Location location = {};  // of the first time that it is fitted to
};

// What messages of one segment cost, by the names of parameters. An empty name costs nothing.
struct SegmentCosts {
  ProtocolKind protocol = ProtocolKind::eager;
  double from = 0, to = 0;  // the measured sizes
  std::string threshold;    // the largest message of it: "S_1"; empty for the last one
  std::string o_send, o_send_per_byte, o_recv, o_recv_per_byte;
  std::string step;       // beside the latency
  std::string step_from;  // the size that the step is of, after which bytes count; empty: 0 B
  std::string per_byte;
};

// A sum of parameters that is known though they are not: "2 o + L" = 69 us.
struct Combination {
  std::string sum;
  double value = 0, standard_error = 0, lower = 0, upper = 0;
};

// A term of the time of a collective operation on n processes, each with the data s. That time is t = (a1 f(n) + a0) +
// (b1 h(n) + b0) s, the form of Xu and Hwang (CENG 95-15, Tables 5 and 6). f is a logarithm (to base 2) or n, and h is
// one of these or a power of n. Which terms there are is decided by the same criterion as the number of segments.
struct Term {
  enum class Growth { constant, logarithm, linear, power };
  Growth growth = Growth::constant;
  double coefficient = 0, standard_error = 0, lower = 0, upper = 0;  // us, or us/B
  bool per_byte = false;
};

struct CollectiveFit {
  std::string operation;
  bool sized = true;
  std::vector<Term> terms;
  std::optional<MachineParameter> exponent;  // of Growth::power
  std::size_t points = 0;
  std::vector<int> processes;   // those that were measured
  double from = 0, to = 0;      // sizes
  double rms = 0, largest = 0;  // relative, of the residuals
  double largest_at_size = 0;
  int largest_at_processes = 0;
  std::vector<WildTime> wild;
};

struct MachineFit {
  std::optional<Segmentation> latency;  // none if there are only collectives
  std::vector<TimedSize> points;        // of the latency, by size
  std::vector<SegmentCosts> parts;
  bool requests_cost_overhead = false;  // taking in a request or an acknowledgement costs o_1
  std::vector<MachineParameter> parameters;
  std::vector<std::string> undetermined;  // parameters that the data do not tell apart
  std::vector<Combination> known;         // what they do determine
  std::optional<Segmentation> gap;
  std::vector<TimedSize> gap_points;
  std::vector<std::string> gap_from;  // of each of its segments: the size that its gap is of; empty: 0 B
  std::vector<CollectiveFit> collectives;
  std::vector<WildTime> wild;      // of all that was measured
  std::vector<std::string> notes;  // for people: decisions, and anything odd
  double probability = 0.95;
  Noise noise = Noise::of_time;
  bool consistent = true;  // whether no residual is alarming

  const MachineParameter* find(const std::string& name) const;
};

// The assumption that "o", "L" or "o_2" is this many microseconds.
struct Assumption {
  std::string name;
  double value = 0;
  frontend::Location location = {};  // where it was given
};

struct FitOptions {
  Noise noise = Noise::of_time;
  bool keep_outliers = false;
  double probability = 0.95;
  std::optional<std::size_t> segments;
  std::vector<ProtocolKind> protocols;  // of the segments; empty: to be found
  std::vector<Assumption> assumptions;
};

// If there is too little data, there are diagnostics and no result. Assumptions that name nothing, or that the times
// refute, are diagnostics, too.
std::optional<MachineFit> fit_machine(const Timings& timings, const FitOptions& options,
                                      frontend::Diagnostics& diagnostics);

// If there is too little data (fewer than three numbers of processes, say), there is a diagnostic and no result.
std::optional<CollectiveFit> fit_collective(const Series& series, double probability,
                                            frontend::Diagnostics& diagnostics);

// The time in us, for more than one process.
double time_of(const CollectiveFit& fit, double processes, double size);

}  // namespace wave::analysis::machine_fit
