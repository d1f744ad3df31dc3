// Peers as you would write them: tile by tile and row by row, with the messages of a row in an array.
#include "bench/process_peers.h"

#include <algorithm>
#include <cstddef>

namespace wave::bench {

namespace {

// One row of an eager tile. Where it has no neighbour in the north or south is known before the row begins.
template <bool north, bool south, bool varying>
void eager_row(long m, const Costs& costs, const double* work, double* clocks, double* from_north) {
  const double overhead = costs.overhead, wire = costs.wire;
  double from_west = 0;
  for (long j = 0; j < m; ++j) {
    double clock = clocks[j];
    if (j > 0) clock = std::max(clock, from_west) + overhead;
    if (north) clock = std::max(clock, from_north[j]) + overhead;
    clock += varying ? work[j] : costs.work;
    if (j + 1 < m) {
      clock += overhead;
      from_west = clock + wire;
    }
    if (south) {
      clock += overhead;
      from_north[j] = clock + wire;
    }
    clocks[j] = clock;
  }
}

template <bool varying>
void eager(long n, long m, long tiles, const Costs& costs, double* clocks) {
  std::vector<double> from_north(static_cast<std::size_t>(m));
  for (long tile = 0; tile < tiles; ++tile) {
    for (long i = 0; i < n; ++i) {
      double* const row = clocks + i * m;
      const double* const work = varying ? costs.work_of + i * m : nullptr;
      const bool north = i > 0, south = i + 1 < n;
      if (north && south)
        eager_row<true, true, varying>(m, costs, work, row, from_north.data());
      else if (north)
        eager_row<true, false, varying>(m, costs, work, row, from_north.data());
      else if (south)
        eager_row<false, true, varying>(m, costs, work, row, from_north.data());
      else
        eager_row<false, false, varying>(m, costs, work, row, from_north.data());
    }
  }
}

// When both ends of a rendezvous are finished. The ack never comes before the sender waits for it, and the payload
// never before the receiver does.
struct Handshake {
  double sender = 0, receiver = 0;
};

inline Handshake meet(double sender, double receiver, const Costs& costs) {
  const double ready = std::max(receiver, sender + costs.latency);
  const double sent = ready + (costs.handshake + costs.latency + costs.overhead);
  return {sent, sent + (costs.wire + costs.overhead)};
}

// A sender finishes when its receiver's row is evaluated, so the clocks of the row above are stored at that time.
template <bool north, bool south>
void rendezvous_row(long m, const Costs& costs, double* clocks, double* above, double* to_south) {
  double to_east = 0, work_done = 0;
  for (long j = 0; j < m; ++j) {
    double clock = clocks[j];
    if (j > 0) {
      const Handshake west = meet(to_east, clock, costs);
      clock = west.receiver;
      if (south)
        to_south[j - 1] = west.sender + costs.handshake;
      else
        clocks[j - 1] = west.sender;
    }
    if (north) {
      const Handshake upper = meet(to_south[j], clock, costs);
      clock = upper.receiver;
      above[j] = upper.sender;
    }
    work_done = clock + costs.work;
    to_east = work_done + costs.handshake;
  }
  if (south)
    to_south[m - 1] = work_done + costs.handshake;
  else
    clocks[m - 1] = work_done;
}

}  // namespace

void eager_by_hand(long n, long m, long tiles, const Costs& costs, std::vector<double>& clocks) {
  if (costs.work_of)
    eager<true>(n, m, tiles, costs, clocks.data());
  else
    eager<false>(n, m, tiles, costs, clocks.data());
}

void rendezvous_by_hand(long n, long m, long tiles, const Costs& costs, std::vector<double>& clocks) {
  std::vector<double> to_south(static_cast<std::size_t>(m));
  for (long tile = 0; tile < tiles; ++tile) {
    for (long i = 0; i < n; ++i) {
      double* const row = clocks.data() + i * m;
      double* const above = row - m;
      const bool north = i > 0, south = i + 1 < n;
      if (north && south)
        rendezvous_row<true, true>(m, costs, row, above, to_south.data());
      else if (north)
        rendezvous_row<true, false>(m, costs, row, above, to_south.data());
      else if (south)
        rendezvous_row<false, true>(m, costs, row, row, to_south.data());
      else
        rendezvous_row<false, false>(m, costs, row, row, to_south.data());
    }
  }
}

}  // namespace wave::bench
