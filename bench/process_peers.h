// The process of Mudalige et al., Listing 1, written by hand in C++ for one sweep from the north-west corner, compiled
// with -O3 -march=native: receive from west and north, compute, send east and south.
#pragma once

#include <vector>

namespace wave::bench {

struct Costs {
  double work = 0;                  // of one block
  const double* work_of = nullptr;  // of one block on each process, row-major; null: `work`
  double overhead = 0;              // of either end of a message
  double wire = 0;                  // from the sender's `busy` to the receiver
  double handshake = 0;             // rendezvous: the busy before a request and before an ack
  double latency = 0;               // rendezvous: of a request and of an ack
};

// `clocks`: when each of n x m processes may start, and then when it has finished.
void eager_by_hand(long n, long m, long tiles, const Costs& costs, std::vector<double>& clocks);
void rendezvous_by_hand(long n, long m, long tiles, const Costs& costs, std::vector<double>& clocks);

}  // namespace wave::bench
