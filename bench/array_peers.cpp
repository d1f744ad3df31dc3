// See array_peers.h. What one would write who thinks of all clocks at a time: a pass over them a round or step.
#include "bench/array_peers.h"

#include <algorithm>

namespace wave::bench {

void allreduces_by_hand(long calls, double work, const EagerCosts& costs, std::vector<double>& clocks) {
  const auto count = static_cast<long>(clocks.size());
  std::vector<double> next(clocks.size());
  const double until_sent = costs.send_overhead, until_there = costs.send_overhead + costs.latency;
  for (long call = 0; call < calls; ++call) {
    for (double& clock : clocks) clock += work;
    for (long distance = 1; distance < count; distance *= 2) {
      for (long begin = 0; begin < count; begin += 2 * distance) {
        double* const to = next.data() + begin;
        const double* const from = clocks.data() + begin;
#pragma GCC ivdep
        for (long i = 0; i < distance; ++i) {
          const double low = from[i], high = from[i + distance];
          to[i] = std::max(low + until_sent, high + until_there) + costs.recv_overhead;
          to[i + distance] = std::max(high + until_sent, low + until_there) + costs.recv_overhead;
        }
      }
      clocks.swap(next);
    }
  }
}

// A process that sends k messages hands over the last k overheads later; one that receives k pays for k.
void halo_by_hand(long n, long m, long steps, const EagerCosts& costs, const std::vector<double>& work,
                  std::vector<double>& clocks) {
  std::vector<double> next(clocks.size());
  const auto at = [m](long i, long j) { return static_cast<std::size_t>(i * m + j); };
  // When what is sent north, south, west and east leaves, beside the clock before.
  const auto leaves = [&](long i, long j, int direction) {
    const int sent =
        (i > 0) + (direction >= 1 && i < n - 1) + (direction >= 2 && j > 0) + (direction >= 3 && j < m - 1);
    return costs.send_overhead * sent + costs.latency;
  };
  for (long step = 0; step < steps; ++step) {
    for (long i = 0; i < n; ++i) {
      const auto one = [&](long j) {
        const int neighbours = (i > 0) + (i < n - 1) + (j > 0) + (j < m - 1);
        const double own = clocks[at(i, j)];
        double time = own + costs.send_overhead * neighbours;
        const auto receive = [&](long from_i, long from_j, int direction) {
          time = std::max(time, clocks[at(from_i, from_j)] + leaves(from_i, from_j, direction)) + costs.recv_overhead;
        };
        if (i > 0) receive(i - 1, j, 1);
        if (i < n - 1) receive(i + 1, j, 0);
        if (j > 0) receive(i, j - 1, 3);
        if (j < m - 1) receive(i, j + 1, 2);
        next[at(i, j)] = time + work[at(i, j)];
      };
      if (i < 2 || i >= n - 2 || m < 5) {
        for (long j = 0; j < m; ++j) one(j);
        continue;
      }
      one(0), one(1), one(m - 2), one(m - 1);
      const double* const here = clocks.data() + at(i, 0);
      const double* const north = clocks.data() + at(i - 1, 0);
      const double* const south = clocks.data() + at(i + 1, 0);
      const double* const own_work = work.data() + at(i, 0);
      double* const to = next.data() + at(i, 0);
      const double o = costs.send_overhead, wire = costs.latency, r = costs.recv_overhead;
#pragma GCC ivdep
      for (long j = 2; j < m - 2; ++j) {
        double time = here[j] + 4 * o;
        time = std::max(time, north[j] + 2 * o + wire) + r;
        time = std::max(time, south[j] + o + wire) + r;
        time = std::max(time, here[j - 1] + 4 * o + wire) + r;
        time = std::max(time, here[j + 1] + 3 * o + wire) + r;
        to[j] = time + own_work[j];
      }
    }
    clocks.swap(next);
  }
}

}  // namespace wave::bench
