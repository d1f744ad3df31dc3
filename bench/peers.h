// The same recurrence written by hand in C++, compiled with -O3 -march=native.
#pragma once

#include <vector>

namespace wave::bench {

// start[i, j] = max(start[i-1, j] + down, start[i, j-1] + right), 0 at the corner; start[n, m].
double full_matrix(long n, long m, double down, double right, std::vector<double>& matrix);
double rolling_row(long n, long m, double down, double right, std::vector<double>& row);

}  // namespace wave::bench
