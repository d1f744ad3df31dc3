// Difference constraints, axis by axis.
#include "backend/jit/strips/lags.h"

namespace wave::jit::strips {

Offset plus(const Offset& left, const Offset& right) {
  return {left[0] + right[0], left[1] + right[1], left[2] + right[2]};
}

std::optional<std::vector<int>> least_shifts(std::size_t axis, std::size_t events,
                                             const std::vector<Dependence>& dependences, int skew) {
  return least_shifts(events, dependences,
                      [&](const Dependence& dependence) { return dependence.offset[axis] - dependence.back * skew; });
}

std::optional<int> least_skew(std::size_t axis, std::size_t events, const std::vector<Dependence>& dependences,
                              int least, int most) {
  for (int skew = least; skew <= most; ++skew) {
    if (least_shifts(axis, events, dependences, skew)) return skew;
  }
  return std::nullopt;
}

}  // namespace wave::jit::strips
