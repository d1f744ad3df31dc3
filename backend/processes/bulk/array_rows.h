// The loops over clocks that everything on arrays is made of. Rows may be the same as what they are made from, but must
// not overlap otherwise. -infinity stays what it is.
#pragma once

#include <cstddef>

namespace wave::backend::processes {

struct Row {
  const double* values;
  double plus;
};

// The widest vectors that the processor has.
struct RowLoops {
  // to[i] = from[i] + plus, and the same with a weight a value.
  void (*take)(double* to, Row from, std::size_t count);
  void (*take_weighted)(double* to, Row from, const double* weights, std::size_t count);
  // to[i] = max(a[i] + plus, b[i] + plus), and the same with a weight a value of b.
  void (*join)(double* to, Row a, Row b, std::size_t count);
  void (*join_weighted)(double* to, Row a, Row b, const double* weights, std::size_t count);
  // to[i] = max(a[i] + plus, b[i ^ distance] + plus), where `to` is not b, distance is a power of two, and count a
  // multiple of twice that.
  void (*join_swapped)(double* to, Row a, Row b, std::size_t distance, std::size_t count);
};
const RowLoops& row_loops();

}  // namespace wave::backend::processes
