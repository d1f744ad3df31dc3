// See reduction_peers.h. These are the formulas of stdlib/std/applications/parflow.wave, without buildings and with the
// source in the middle.
#include "bench/reduction_peers.h"

#include <algorithm>

namespace wave::bench {

namespace {

inline double larger(double a, double b) { return a > b ? a : b; }
inline double square(double u) { return larger(u, 0) * larger(u, 0); }
inline double triangle(double u) { return larger(u, 0) * (larger(u, 0) + 1) / 2; }

inline double reached_beyond(double rows, double t, double left, double right) {
  return square(t + 1 - rows) - triangle(t - rows - left) - triangle(t - rows - right);
}

inline double reached(double first, double last, double t, double source, double left, double right) {
  return reached_beyond(larger(first - source, 0), t, left, right) -
         reached_beyond(larger(last + 1 - source, 0), t, left, right) +
         reached_beyond(larger(source - last, 1), t, left, right) -
         reached_beyond(larger(source + 1 - first, 1), t, left, right);
}

}  // namespace

double heaviest_of_parflow(long processors, long steps, long partitions) {
  constexpr long nx = 4000, ny = 4000, source_x = (nx + 1) / 2, source_y = (ny + 1) / 2;
  const long strips = processors * partitions, rows = ny / strips, rest = ny % strips;
  const auto last_row = [&](long strip) { return static_cast<double>(strip * rows + std::min(strip, rest)); };
  double sum = 0;
  for (long step = 1; step <= steps; ++step) {
    double heaviest = -1;
    for (long q = 1; q <= processors; ++q) {
      double load = 0;
      for (long strip = q; strip <= strips; strip += processors) {
        load += reached(last_row(strip - 1) + 1, last_row(strip), static_cast<double>(step - 1), source_y, source_x - 1,
                        nx - source_x);
      }
      heaviest = larger(heaviest, load);
    }
    sum += heaviest;
  }
  return sum;
}

double heaviest_remainders(long processors, long steps) {
  long sum = 0;
  for (long t = 1; t <= steps; ++t) {
    long heaviest = -1;
    for (long p = 1; p <= processors; ++p) heaviest = std::max(heaviest, p * t % 101);
    sum += heaviest;
  }
  return static_cast<double>(sum);
}

double harmonic_series(long steps) {
  double sum = 0;
  for (long k = 1; k <= steps; ++k) sum += 1 / static_cast<double>(k);
  return sum;
}

}  // namespace wave::bench
