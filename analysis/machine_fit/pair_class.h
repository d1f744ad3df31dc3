// One class of message sizes that several pairs exchange at once, fitted by the max-rate model (Gropp, Olson, Samfass
// 2016) with a gap for each message. Of k pairs between two nodes, the last message has come after
//
//   t = a + max(s G, q (g + s N)),   q = ceil(k / servers)
//
// where a and G are a pair's own, and g and N the interface's. In a stream, the next message of a pair follows after
// max(p + s P, q (g + s N)), where p and P are what a pair alone would leave. Times in us, sizes in bytes.
#pragma once

#include "analysis/machine_fit/robust.h"
#include "analysis/machine_fit/window_share.h"
#include "ir/location.h"

#include <cstddef>
#include <vector>

namespace wave::analysis::machine_fit {

struct PairTime {
  double size = 0;
  int pairs = 1;
  bool stream = false;
  double time = 0;
  Location location = {};
  int window = 0;          // of a stream, as in Sample
  WindowShare share = {};  // what was printed of `time`
};

// A number of a class. What the data do not tell has neither error nor interval. The interval is that of the number
// without its bound, 0, so that it holds the true value as often as it says, also where the number or another ends
// there.
struct ClassNumber {
  double value = 0, standard_error = 0;
  double lower = 0, upper = 0;
  bool told = false;
};

struct PairClass {
  double from = 0, to = 0;  // the measured sizes
  ClassNumber at_zero, per_byte, gap, gap_per_byte, own_gap, own_gap_per_byte;
  bool several_pairs = false;   // whether its times are of different numbers of pairs
  bool has_streams = false;     // whether some are of streams
  std::size_t points = 0;       // times that the numbers are fitted to
  FarOff far;                   // of all times
  std::vector<double> off;      // their residuals
  std::vector<int> pairs;       // numbers of pairs, of the former
  double rms = 0, largest = 0;  // relative, of their residuals
  double deviation = 0;         // of one time, relative: what the residuals say, with the numbers that are fitted
  double cost = 0;              // of all times: robust.h

  double own(const PairTime& point) const;  // what the pair alone takes, without the time of an empty message
  double shared(double size, int pairs, int servers) const;
  double time_of(const PairTime& point, int servers) const;
  // What the last message of a window takes from its turn on, the mean of the pairs, whose last messages come one after
  // the other. Where the interface bounds the stream, the pair's own time is over before it is.
  double end_of_window(double size, int pairs, int servers) const;
};

inline constexpr double probability_of_intervals = 0.95;

// Times of one class, by size: at least one. Their noise is roughly known.
PairClass fit_class(const std::vector<PairTime>& points, int servers, double deviation);

}  // namespace wave::analysis::machine_fit
