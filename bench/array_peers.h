// The models of bench/arrays.wave as loops over arrays of clocks, written by hand.
#pragma once

#include <vector>

namespace wave::bench {

// Times in ps.
struct EagerCosts {
  double send_overhead, latency, recv_overhead;
};

// Allreduces by recursive doubling on a power of two of processes, each after `work`. `clocks` by process.
void allreduces_by_hand(long calls, double work, const EagerCosts& costs, std::vector<double>& clocks);

// Exchanges of borders with four neighbours, each followed by the process's work. `clocks` and `work` row-major.
void halo_by_hand(long n, long m, long steps, const EagerCosts& costs, const std::vector<double>& work,
                  std::vector<double>& clocks);

}  // namespace wave::bench
