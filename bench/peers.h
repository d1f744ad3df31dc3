// StartP as one would write it in C++, compiled with -O3 -march=native: start[i, j] = max(start[i-1, j] + down(i, j),
// start[i, j-1] + right(i, j)), 0 at the corner, i and j from 0. Each gives start[n-1, m-1].
#pragma once

#include <vector>

namespace wave::bench {

using Row = std::vector<double>;  // kept between runs

// A matrix of all cells, kept.
double full_matrix(long n, long m, double down, double right, Row& matrix);

// One row that is overwritten.
double rolling_uniform(long n, long m, double down, double right, Row& row);
double rolling_per_axis(long n, long m, const double* down_i, const double* right_j, Row& row);
// down[2 * (i mod 2) + j mod 2], right likewise.
double rolling_periodic(long n, long m, const double* down, const double* right, Row& row);
// down_i[i] + down_j[j], right_i[i] + right_j[j].
double rolling_separable(long n, long m, const double* down_i, const double* down_j, const double* right_i,
                         const double* right_j, Row& row);
// work_i[i] * work_j[j] + down, the same + right.
double rolling_product(long n, long m, const double* work_i, const double* work_j, double down, double right, Row& row);
// work[i * m + j] + down, the same + right.
double rolling_loaded(long n, long m, const double* work, double down, double right, Row& row);

// Three axes, one plane that is overwritten.
double rolling_plane(long n, long m, long l, double down, double right, double deep, Row& plane);

}  // namespace wave::bench
