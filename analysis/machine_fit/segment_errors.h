// The errors of fitted lines.
#pragma once

#include "analysis/machine_fit/segments.h"

namespace wave::analysis::machine_fit {

inline double degrees_of(const Segment& segment) {
  return static_cast<double>(segment.used.size()) - (segment.flat ? 1 : 2);
}

// Sets the errors and intervals of all segments from the noise of all of them, or from their own where the noise
// differs. It is at least `floor`, which the digits alone cause.
void set_errors(Segmentation& result, double probability, double floor);

}  // namespace wave::analysis::machine_fit
