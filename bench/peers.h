// StartP as you would write it in C++, compiled with -O3 -march=native: start[i, j] = max(start[i-1, j] + down(i, j),
// start[i, j-1] + right(i, j)), 0 at the corner, with i and j from 0. Each function returns start[n-1, m-1].
#pragma once

#include <vector>

namespace wave::bench {

using Row = std::vector<double>;  // kept between runs

// Keeps a matrix of all cells.
double full_matrix(long n, long m, double down, double right, Row& matrix);

// Overwrites a single row.
double rolling_uniform(long n, long m, double down, double right, Row& row);
double rolling_per_axis(long n, long m, const double* down_i, const double* right_j, Row& row);
// Costs are down[2 * (i mod 2) + j mod 2], and right likewise.
double rolling_periodic(long n, long m, const double* down, const double* right, Row& row);
// Costs are down_i[i] + down_j[j] and right_i[i] + right_j[j].
double rolling_separable(long n, long m, const double* down_i, const double* down_j, const double* right_i,
                         const double* right_j, Row& row);
// Costs are work_i[i] * work_j[j] + down, and the same + right.
double rolling_product(long n, long m, const double* work_i, const double* work_j, double down, double right, Row& row);
// Costs are work[i * m + j] + down, and the same + right.
double rolling_loaded(long n, long m, const double* work, double down, double right, Row& row);

// Three axes, with one plane that is overwritten.
double rolling_plane(long n, long m, long l, double down, double right, double deep, Row& plane);

}  // namespace wave::bench
