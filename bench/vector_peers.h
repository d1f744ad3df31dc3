// Handwritten StartP with rows in vector lanes, for AVX-512: the peer of compiled recurrences.
//
// It evaluates a strip of L * R rows (L lanes, R vectors) along anti-diagonals: at step t, row x of the strip is at
// column t - x. Rows are distributed in blocks, x = lane * R + vector. So the upper neighbour of a vector is the vector
// before it in the same lane, one step earlier. Only the first vector reads the last one, shifted by one lane, with the
// row above the strip in lane 0. Cells off the grid are -infinity, which no maximum takes, so the ends of a strip need
// no masks.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace wave::bench {

// Whether this machine can run the functions below. If it cannot, they would end the program.
bool has_vector_peers();

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<double[], Free>;
// Memory in whole cache lines.
Memory allocate(std::size_t doubles);

// Memory that is kept between runs, so that no run pays for fresh pages.
struct Scratch {
  std::size_t size = 0;
  Memory memory;
  double* reserve(std::size_t doubles);
};

// start[i, j] = max(start[i-1, j] + down, start[i, j-1] + right), 0 at the corner. Returns start[n, m].
double vector_uniform(long n, long m, double down, double right, Scratch& scratch);
// Costs are down_i[i] and right_j[j].
double vector_per_axis(long n, long m, const double* down_i, const double* right_j, Scratch& scratch);
// Costs are down[2 * (i mod 2) + j mod 2], with i and j from 0.
double vector_periodic(long n, long m, const double* down, const double* right, Scratch& scratch);

// Costs depend on both indices: down(i, j) = down_i[i] + down_j[j], and right likewise.
struct SeparableCosts {
  const double *down_i, *down_j, *right_i, *right_j;
};
double vector_separable(long n, long m, const SeparableCosts& costs, Scratch& scratch);

// down(i, j) = work_i[i] * work_j[j] + down, and right likewise.
double vector_product(long n, long m, const double* work_i, const double* work_j, double down, double right,
                      Scratch& scratch);

// down(i, j) = work(i, j) + down, right(i, j) = work(i, j) + right. `work` is laid out along diagonals, with a value
// per step, vector and lane of each strip.
std::size_t diagonal_size(long n, long m);
void lay_out_diagonally(long n, long m, const double* matrix, double* diagonals);
double vector_loaded(long n, long m, const double* diagonals, double down, double right, Scratch& scratch);
// Uniform costs. Every cell is written to `diagonals`, past the caches.
double vector_stored(long n, long m, double down, double right, double* diagonals, Scratch& scratch);

}  // namespace wave::bench
