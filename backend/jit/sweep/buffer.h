// Memory for vectors.
#pragma once

#include "base/large_array.h"

#include <algorithm>
#include <cstddef>

namespace wave::jit::sweep {

// Zeroed.
class Buffer {
 public:
  explicit Buffer(std::size_t doubles) : values_(doubles) { std::fill_n(data(), doubles, 0.0); }
  double* data() const { return values_.data(); }

 private:
  LargeArray<double> values_;
};

}  // namespace wave::jit::sweep
