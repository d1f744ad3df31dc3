// StartP by hand with rows in vector lanes, for AVX-512: what the compiled recurrences are held against.
//
// A strip of L * R rows (L lanes, R vectors) is evaluated along anti-diagonals: at step t its row x is at column t - x.
// Rows are dealt in blocks, x = lane * R + vector, so that the upper neighbour of a vector is the vector before it in
// the same lane, one step ago; only the first vector takes the last one, one lane on, with the row above in lane 0.
// What is off the grid is -infinity, which no maximum takes: the strip's ramps need no masks.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace wave::bench {

// Whether this machine can run what follows; it ends the program where it cannot.
bool has_vector_peers();

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<double[], Free>;
// Of whole cache lines.
Memory allocate(std::size_t doubles);

// What is kept between runs, so that no run pays for fresh pages.
struct Scratch {
  std::size_t size = 0;
  Memory memory;
  double* reserve(std::size_t doubles);
};

// start[i, j] = max(start[i-1, j] + down, start[i, j-1] + right), 0 at the corner; start[n, m].
double vector_uniform(long n, long m, double down, double right, Scratch& scratch);
// down_i[i], right_j[j].
double vector_per_axis(long n, long m, const double* down_i, const double* right_j, Scratch& scratch);
// down[2 * (i mod 2) + j mod 2] with i and j from 0.
double vector_periodic(long n, long m, const double* down, const double* right, Scratch& scratch);

// Costs from both indices: down(i, j) = down_i[i] + down_j[j], right likewise.
struct SeparableCosts {
  const double *down_i, *down_j, *right_i, *right_j;
};
double vector_separable(long n, long m, const SeparableCosts& costs, Scratch& scratch);

// down(i, j) = work_i[i] * work_j[j] + down, right likewise.
double vector_product(long n, long m, const double* work_i, const double* work_j, double down, double right,
                      Scratch& scratch);

// down(i, j) = work(i, j) + down, right(i, j) = work(i, j) + right, with `work` laid out along diagonals: a value per
// step, vector and lane of each strip.
std::size_t diagonal_size(long n, long m);
void lay_out_diagonally(long n, long m, const double* matrix, double* diagonals);
double vector_loaded(long n, long m, const double* diagonals, double down, double right, Scratch& scratch);
// Uniform costs; every cell is written to `diagonals`, past the caches.
double vector_stored(long n, long m, double down, double right, double* diagonals, Scratch& scratch);

}  // namespace wave::bench
