// What known machines take, for tests and campaigns. See benchmarks.h.
#include "tests/unit/machine_fit/benchmarks.h"

#include <cmath>

namespace wave::tests {

double Sp2Times::at(double size) const {
  if (size <= small) return 2 * o_s + L + size * G_s;
  if (size <= eager) return 2 * o_l + L + size * G_l;
  return 3 * o_s + 3 * L + 2 * o_l + size * G_l;
}

std::vector<double> sizes_by(double factor, double from, double to) {
  std::vector<double> sizes;
  for (double size = from; size <= to; size *= factor) {
    if (sizes.empty() || std::floor(size) > sizes.back()) sizes.push_back(std::floor(size));
  }
  return sizes;
}

}  // namespace wave::tests
