// As one would write it: a matrix, and one row that is overwritten.
#include "bench/peers.h"

#include <algorithm>
#include <cstddef>

namespace wave::bench {

double full_matrix(long n, long m, double down, double right, std::vector<double>& matrix) {
  matrix.resize(static_cast<std::size_t>(n * m));
  double* const s = matrix.data();
  s[0] = 0;
  for (long j = 1; j < m; ++j) s[j] = s[j - 1] + right;
  for (long i = 1; i < n; ++i) {
    s[i * m] = s[(i - 1) * m] + down;
    for (long j = 1; j < m; ++j) s[i * m + j] = std::max(s[(i - 1) * m + j] + down, s[i * m + j - 1] + right);
  }
  return s[n * m - 1];
}

double rolling_row(long n, long m, double down, double right, std::vector<double>& row) {
  row.resize(static_cast<std::size_t>(m));
  double* const s = row.data();
  s[0] = 0;
  for (long j = 1; j < m; ++j) s[j] = s[j - 1] + right;
  for (long i = 1; i < n; ++i) {
    double left = s[0] += down;
    for (long j = 1; j < m; ++j) s[j] = left = std::max(s[j] + down, left + right);
  }
  return s[m - 1];
}

}  // namespace wave::bench
