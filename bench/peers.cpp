// See peers.h.
#include "bench/peers.h"

#include <algorithm>
#include <cstddef>

namespace wave::bench {

namespace {

template <class Down, class Right>
double roll(long n, long m, const Down& down, const Right& right, Row& row) {
  row.resize(static_cast<std::size_t>(m));
  double* const s = row.data();
  s[0] = 0;
  for (long j = 1; j < m; ++j) s[j] = s[j - 1] + right(0, j);
  for (long i = 1; i < n; ++i) {
    double left = s[0] += down(i, 0);
    for (long j = 1; j < m; ++j) s[j] = left = std::max(s[j] + down(i, j), left + right(i, j));
  }
  return s[m - 1];
}

// Evaluates one line of a plane. Nothing comes before its first cell, and no time is negative.
template <bool upper, bool left>
void roll_line(long l, double down, double right, double deep, double* line, const double* before) {
  double last = 0;
  for (long k = 0; k < l; ++k) {
    double value = k > 0 ? last + deep : 0;
    if (upper && left)
      value = std::max(std::max(line[k] + down, before[k] + right), value);
    else if (upper)
      value = std::max(line[k] + down, value);
    else if (left)
      value = std::max(before[k] + right, value);
    line[k] = last = value;
  }
}

}  // namespace

double full_matrix(long n, long m, double down, double right, Row& matrix) {
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

double rolling_uniform(long n, long m, double down, double right, Row& row) {
  return roll(n, m, [=](long, long) { return down; }, [=](long, long) { return right; }, row);
}

double rolling_per_axis(long n, long m, const double* down_i, const double* right_j, Row& row) {
  return roll(n, m, [=](long i, long) { return down_i[i]; }, [=](long, long j) { return right_j[j]; }, row);
}

double rolling_periodic(long n, long m, const double* down, const double* right, Row& row) {
  return roll(
      n, m, [=](long i, long j) { return down[2 * (i & 1) + (j & 1)]; },
      [=](long i, long j) { return right[2 * (i & 1) + (j & 1)]; }, row);
}

double rolling_separable(long n, long m, const double* down_i, const double* down_j, const double* right_i,
                         const double* right_j, Row& row) {
  return roll(
      n, m, [=](long i, long j) { return down_i[i] + down_j[j]; },
      [=](long i, long j) { return right_i[i] + right_j[j]; }, row);
}

double rolling_product(long n, long m, const double* work_i, const double* work_j, double down, double right,
                       Row& row) {
  return roll(
      n, m, [=](long i, long j) { return work_i[i] * work_j[j] + down; },
      [=](long i, long j) { return work_i[i] * work_j[j] + right; }, row);
}

double rolling_loaded(long n, long m, const double* work, double down, double right, Row& row) {
  return roll(
      n, m, [=](long i, long j) { return work[i * m + j] + down; },
      [=](long i, long j) { return work[i * m + j] + right; }, row);
}

double rolling_plane(long n, long m, long l, double down, double right, double deep, Row& plane) {
  plane.resize(static_cast<std::size_t>(m * l));
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < m; ++j) {
      double* const s = plane.data() + j * l;
      if (i > 0 && j > 0)
        roll_line<true, true>(l, down, right, deep, s, s - l);
      else if (i > 0)
        roll_line<true, false>(l, down, right, deep, s, nullptr);
      else if (j > 0)
        roll_line<false, true>(l, down, right, deep, s, s - l);
      else
        roll_line<false, false>(l, down, right, deep, s, nullptr);
    }
  }
  return plane.back();
}

}  // namespace wave::bench
