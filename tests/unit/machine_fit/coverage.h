// How often the intervals of a fit hold the numbers of the machine that the times were made with: through the pattern
// of each benchmark, for machines, sizes and noise that differ from draw to draw.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace wave::tests {

struct Coverage {
  int stated = 0;  // intervals
  int held = 0;    // of them, those that hold the true value
  double share() const { return stated > 0 ? static_cast<double>(held) / stated : 1; }
};

struct CoverageOf {
  std::map<std::string, Coverage> numbers;  // "L", "G", "o", "2 o + L": of all classes together
  int draws = 0;
  int other_classes = 0;  // draws in which other classes were found than there are: nothing is claimed of their numbers
};

// The tests of which campaigns and tests draw: a ping-pong and a stream of one pair with a handshake; a ping-pong alone
// on a machine whose overheads are small against its latency; streams of several pairs that share an interface.
CoverageOf coverage_of_one_pair(std::uint64_t seed, int draws, double noise);
CoverageOf coverage_of_small_overheads(std::uint64_t seed, int draws, double noise);
CoverageOf coverage_of_pairs(std::uint64_t seed, int draws, double noise);

}  // namespace wave::tests
