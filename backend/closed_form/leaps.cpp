// Handles steps that are longer than one place, beside steps of one place.
#include "backend/closed_form/leaps.h"

#include "backend/closed_form/thresholds.h"

#include <algorithm>

namespace wave::backend::closed_form {

bool is_short(const Leap& leap) {
  std::int64_t count = 0;
  for (const std::int64_t back : leap.back) count += back;
  return count <= most_steps_of_leap;
}

// All steps along one axis, then along the next, in this order.
std::optional<ValueRange> leap_gain(const Paths& paths, const Leap& leap, const std::vector<std::size_t>& order) {
  Box domain = paths.box();
  domain.first = leap.back;
  Combination gain(std::move(domain));
  gain.add(leap.weight, 1, Places(paths.axes.size(), 0));
  Places rest = leap.back;  // places before the end
  for (const std::size_t axis : order) {
    while (rest[axis] > 0) {
      --rest[axis];
      gain.add(*paths.along(axis), -1, rest);
    }
  }
  return gain.range();
}

bool drop_leaps(Paths& paths) {
  bool is_covered = true;
  std::erase_if(paths.leaps, [&](const Leap& leap) {
    if (!is_covered || !is_short(leap)) return false;
    std::vector<std::size_t> order;
    for (const Step& step : paths.steps) order.push_back(step.axis);
    std::sort(order.begin(), order.end());
    do {
      const auto gain = leap_gain(paths, leap, order);
      is_covered = gain.has_value();
      if (!gain) return false;
      if (gain->high <= 0) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  });
  return is_covered;
}

}  // namespace wave::backend::closed_form
