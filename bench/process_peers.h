// The process of Mudalige et al., Listing 1, written by hand in C++ for one sweep from the north-west corner, compiled
// with -O3 -march=native: receive from west and north, compute, send east and south.
#pragma once

#include <vector>

namespace wave::bench {

struct Costs {
  double work = 0;                  // time for one block
  const double* work_of = nullptr;  // time for one block on each process, row by row; null: `work` for all
  double overhead = 0;              // at either end of a message
  double wire = 0;                  // from the sender's `busy` to the receiver
  double handshake = 0;             // rendezvous: the busy time before a request, and before an ack
  double latency = 0;               // rendezvous: the latency of a request, and of an ack
};

// `clocks` holds when each of n x m processes may start, and afterwards when it has finished.
void eager_by_hand(long n, long m, long tiles, const Costs& costs, std::vector<double>& clocks);
void rendezvous_by_hand(long n, long m, long tiles, const Costs& costs, std::vector<double>& clocks);

}  // namespace wave::bench
