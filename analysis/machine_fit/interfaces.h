// Fits what processes share to times of messages that several pairs exchange at once: the max-rate model (Gropp, Olson,
// Samfass 2016) with a gap for each message. Of k pairs between two nodes, the last message has come after
//
//   t = a + max(s G, q (g + s N)),   q = ceil(k / servers)
//
// where a and G are a pair's own, and g and N the interface's. In a stream, the next message of a pair follows after
// max(p + s G, q (g + s N)), where p is the gap that a pair alone would leave. Each class of sizes has its own numbers;
// where one ends and the next begins is found from the data. Times in us, sizes in bytes.
#pragma once

#include "analysis/machine_fit/timings.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

// A number of a class. What the data do not tell has no error.
struct ClassNumber {
  double value = 0, standard_error = 0;
  bool told = false;
};

struct PairClass {
  double from = 0, to = 0;  // the measured sizes
  ClassNumber at_zero, per_byte, gap, gap_per_byte, own_gap;
  std::size_t points = 0;
  double rms = 0, largest = 0;  // relative, of the residuals
  double squares = 0;           // the sum of theirs

  double shared(double size, int pairs, int servers) const;
  double at(double size, int pairs, int servers) const;
  double between(double size, int pairs, int servers) const;  // in a stream
};

// Messages between two processes that share this level and no inner one.
struct PlaceFit {
  std::string level;  // empty: they share nothing
  std::vector<PairClass> classes;
  std::vector<int> pairs;  // those measured, from the fewest on
  int servers = 1;
  bool servers_told = false;  // whether the data tell them from one that is as many times as fast

  const PairClass& class_of(double size) const;
  double at(double size, int pairs_at_once) const { return class_of(size).at(size, pairs_at_once, servers); }
};

struct InterfaceFit {
  std::vector<PlaceFit> places;    // the innermost level first
  std::vector<std::string> notes;  // for people: what the data do not tell, and what is written instead
};

// Whether several pairs at once, or several places, were measured.
bool has_interfaces(const Timings& timings);

// If there is too little data, there are diagnostics and no result.
std::optional<InterfaceFit> fit_interfaces(const Timings& timings, frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::machine_fit
