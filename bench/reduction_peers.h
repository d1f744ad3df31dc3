// The reductions of bench/supersteps.wave as you would write them in C++, compiled with -O3 -march=native. They give
// the same bits.
#pragma once

namespace wave::bench {

double heaviest_of_parflow(long processors, long steps, long partitions);
double heaviest_remainders(long processors, long steps);
double harmonic_series(long steps);

}  // namespace wave::bench
