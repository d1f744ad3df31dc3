// Bounds how much the rounding of weights to the quantum can have changed a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::backend::processes {

struct Rounding {
  double largest = 0;                                      // of a weight, ps
  double least = std::numeric_limits<double>::infinity();  // weight that was rounded, as it is afterwards

  void add(double weight, double rounded) {
    if (weight == rounded) return;
    largest = std::max(largest, std::fabs(weight - rounded));
    least = std::min(least, rounded);
  }
  void add(const Rounding& other) {
    largest = std::max(largest, other.largest);
    least = std::min(least, other.least);
  }
  // Of a time up to `finish`. The weights on a path that leads to it add up to no more, so of those that were rounded
  // no more than finish / least are on it; nor more than `summands`, which is how many there are in all.
  double error(double finish, double summands) const {
    if (largest == 0) return 0;
    return largest * std::min(summands, least > 0 ? std::ceil(finish / least) : summands);
  }
};

}  // namespace wave::backend::processes
