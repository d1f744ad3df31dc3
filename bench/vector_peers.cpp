// See vector_peers.h. It uses vector extensions and a few intrinsics, and is compiled for AVX-512 on every host.
#include "bench/vector_peers.h"

#include <algorithm>
#include <immintrin.h>
#include <limits>
#include <new>

namespace wave::bench {

bool has_vector_peers() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"); }

Memory allocate(std::size_t doubles) {
  void* const memory = std::aligned_alloc(64, (doubles * sizeof(double) + 63) / 64 * 64);
  if (!memory) throw std::bad_alloc();
  return Memory(static_cast<double*>(memory));
}

double* Scratch::reserve(std::size_t doubles) {
  if (doubles > size) memory = allocate(doubles), size = doubles;
  return memory.get();
}

namespace {

constexpr int L = 8;          // lanes
constexpr int R = 16;         // vectors: together with two costs and two temporaries, they fill 32 registers
constexpr long rows = L * R;  // of a strip
constexpr double absent = -std::numeric_limits<double>::infinity();

using Vector = double __attribute__((vector_size(64)));
using Lanes = long __attribute__((vector_size(64)));

#define ALWAYS __attribute__((always_inline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

ALWAYS_INLINE Vector splat(double value) { return value - Vector{}; }
ALWAYS_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }

// The row above a strip, overwritten by the strip's own last row. Column j is at [j], with room for columns off the
// grid.
double* make_row(long m, Scratch& scratch) {
  double* const row = scratch.reserve(static_cast<std::size_t>(m + 3 * rows)) + rows;
  std::fill(row - rows, row + m + 2 * rows, absent);
  return row;
}

// One step. costs.down(r) and costs.right(r) are the costs of vector r at this step.
template <class Costs>
ALWAYS_INLINE void advance(Vector (&v)[R], const Costs& costs, double* row, long t) {
  const Vector rotated = __builtin_shuffle(v[R - 1], Lanes{7, 0, 1, 2, 3, 4, 5, 6});
  row[t - rows] = rotated[0];
  const Vector above = (Vector)_mm512_mask_broadcastsd_pd((__m512d)rotated, 1, _mm_load_sd(row + t));
  for (int r = R - 1; r > 0; --r) v[r] = larger(v[r - 1] + costs.down(r), v[r] + costs.right(r));
  v[0] = larger(above + costs.down(0), v[0] + costs.right(0));
}

// Evaluates all strips. begin(strip) returns the function that makes the step at t; its last argument is t mod
// `period`.
template <int period, class Begin>
ALWAYS_INLINE double evaluate(long n, long m, double first_down, Scratch& scratch, const Begin& begin) {
  double* const row = make_row(m, scratch);
  row[0] = -first_down;  // makes the corner 0
  const long strips = (n + rows - 1) / rows, last = (n - 1) % rows;
  for (long strip = 0;; ++strip) {
    Vector v[R];
    for (int r = 0; r < R; ++r) v[r] = splat(absent);
    const auto step = begin(strip);
    const long end = strip + 1 < strips ? m + rows : m + last;
    long t = 0;
    for (; t + period <= end; t += period) {
#pragma GCC unroll 2
      for (int phase = 0; phase < period; ++phase) step(v, row, t + phase, phase);
    }
    for (int phase = 0; t + phase < end; ++phase) step(v, row, t + phase, phase);
    if (strip + 1 == strips) return v[last % R][last / R];
  }
}

struct Uniform {
  Vector down_, right_;
  ALWAYS_INLINE Vector down(int) const { return down_; }
  ALWAYS_INLINE Vector right(int) const { return right_; }
};

// costs[i] for the rows of a strip, by vector.
void take_rows(const double* costs, long n, long strip, Vector* result) {
  for (int r = 0; r < R; ++r) {
    for (int l = 0; l < L; ++l) {
      const long i = strip * rows + l * R + r;
      result[r][l] = i < n ? costs[i] : 0;
    }
  }
}

// costs[j] in the order in which vectors meet them: at step t, vector r reads [t - r].
Vector* lay_out_columns(const double* costs, long m, double* memory) {
  Vector* const result = reinterpret_cast<Vector*>(memory) + R;
  for (long k = -R; k < m + rows; ++k) {
    for (int l = 0; l < L; ++l) {
      const long j = k - l * R;
      result[k][l] = 0 <= j && j < m ? costs[j] : 0;
    }
  }
  return result;
}

std::size_t size_of_columns(long m) { return static_cast<std::size_t>((m + rows + R) * L); }

}  // namespace

double vector_uniform(long n, long m, double down, double right, Scratch& scratch) {
  const Uniform costs{splat(down), splat(right)};
  return evaluate<1>(n, m, down, scratch, [&](long) {
    return [&](Vector(&v)[R], double* row, long t, int) ALWAYS { advance(v, costs, row, t); };
  });
}

double vector_per_axis(long n, long m, const double* down_i, const double* right_j, Scratch& scratch) {
  struct Costs {
    const Vector *rows_, *columns;
    ALWAYS_INLINE Vector down(int r) const { return rows_[r]; }
    ALWAYS_INLINE Vector right(int r) const { return columns[-r]; }
  };
  Scratch memory;
  const Vector* const columns = lay_out_columns(right_j, m, memory.reserve(size_of_columns(m)));
  Vector down[R];
  return evaluate<1>(n, m, down_i[0], scratch, [&](long strip) {
    take_rows(down_i, n, strip, down);
    return [&](Vector(&v)[R], double* row, long t, int) ALWAYS { advance(v, Costs{down, columns + t}, row, t); };
  });
}

double vector_periodic(long n, long m, const double* down, const double* right, Scratch& scratch) {
  struct Costs {
    const double *down_, *right_;
    int phase;
    // Costs for row l * R + r and column t - l * R - r. R is even, and so is the first row of a strip.
    ALWAYS_INLINE Vector down(int r) const { return splat(down_[2 * (r % 2) + (phase + r) % 2]); }
    ALWAYS_INLINE Vector right(int r) const { return splat(right_[2 * (r % 2) + (phase + r) % 2]); }
  };
  static_assert(R % 2 == 0);
  return evaluate<2>(n, m, down[0], scratch, [&](long) {
    return [&](Vector(&v)[R], double* row, long t, int phase) ALWAYS { advance(v, Costs{down, right, phase}, row, t); };
  });
}

double vector_separable(long n, long m, const SeparableCosts& given, Scratch& scratch) {
  struct Costs {
    const Vector *down_i, *down_j, *right_i, *right_j;
    ALWAYS_INLINE Vector down(int r) const { return down_i[r] + down_j[-r]; }
    ALWAYS_INLINE Vector right(int r) const { return right_i[r] + right_j[-r]; }
  };
  Scratch down_memory, right_memory;
  const Vector* const down_j = lay_out_columns(given.down_j, m, down_memory.reserve(size_of_columns(m)));
  const Vector* const right_j = lay_out_columns(given.right_j, m, right_memory.reserve(size_of_columns(m)));
  Vector down_i[R], right_i[R];
  return evaluate<1>(n, m, given.down_i[0] + given.down_j[0], scratch, [&](long strip) {
    take_rows(given.down_i, n, strip, down_i);
    take_rows(given.right_i, n, strip, right_i);
    return [&](Vector(&v)[R], double* row, long t, int)
               ALWAYS { advance(v, Costs{down_i, down_j + t, right_i, right_j + t}, row, t); };
  });
}

double vector_product(long n, long m, const double* work_i, const double* work_j, double down, double right,
                      Scratch& scratch) {
  struct Costs {
    Vector down_, right_;
    const Vector *work_i, *work_j;
    ALWAYS_INLINE Vector down(int r) const { return work_i[r] * work_j[-r] + down_; }
    ALWAYS_INLINE Vector right(int r) const { return work_i[r] * work_j[-r] + right_; }
  };
  Scratch memory;
  const Vector* const columns = lay_out_columns(work_j, m, memory.reserve(size_of_columns(m)));
  const Vector downs = splat(down), rights = splat(right);
  Vector of_rows[R];
  return evaluate<1>(n, m, work_i[0] * work_j[0] + down, scratch, [&](long strip) {
    take_rows(work_i, n, strip, of_rows);
    return [&](Vector(&v)[R], double* row, long t, int)
               ALWAYS { advance(v, Costs{downs, rights, of_rows, columns + t}, row, t); };
  });
}

std::size_t diagonal_size(long n, long m) {
  return static_cast<std::size_t>((n + rows - 1) / rows * (m + rows) * rows);
}

void lay_out_diagonally(long n, long m, const double* matrix, double* diagonals) {
  for (long strip = 0; strip * rows < n; ++strip) {
    for (long t = 0; t < m + rows; ++t) {
      for (long x = 0; x < rows; ++x) {
        const long i = strip * rows + x, j = t - x;
        diagonals[((strip * (m + rows) + t) * R + x % R) * L + x / R] =
            i < n && 0 <= j && j < m ? matrix[i * m + j] : 0;
      }
    }
  }
}

double vector_loaded(long n, long m, const double* diagonals, double down, double right, Scratch& scratch) {
  struct Costs {
    Vector down_, right_;
    const Vector* work;
    ALWAYS_INLINE Vector down(int r) const { return work[r] + down_; }
    ALWAYS_INLINE Vector right(int r) const { return work[r] + right_; }
  };
  const Vector downs = splat(down), rights = splat(right);
  const Vector* const works = reinterpret_cast<const Vector*>(diagonals);
  return evaluate<1>(n, m, diagonals[0] + down, scratch, [&](long strip) {
    const Vector* const work = works + strip * (m + rows) * R;
    return [&, work](Vector(&v)[R], double* row, long t, int)
               ALWAYS { advance(v, Costs{downs, rights, work + t * R}, row, t); };
  });
}

double vector_stored(long n, long m, double down, double right, double* diagonals, Scratch& scratch) {
  const Uniform costs{splat(down), splat(right)};
  return evaluate<1>(n, m, down, scratch, [&](long strip) {
    double* const cells = diagonals + strip * (m + rows) * rows;
    return [&, cells](Vector(&v)[R], double* row, long t, int) ALWAYS {
      advance(v, costs, row, t);
      for (int r = 0; r < R; ++r) _mm512_stream_pd(cells + t * rows + r * L, (__m512d)v[r]);
    };
  });
}

}  // namespace wave::bench
