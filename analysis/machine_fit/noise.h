// How far apart measured times lie by chance, found before anything is fitted to them.
#pragma once

#include "analysis/machine_fit/segments.h"

#include <vector>

namespace wave::analysis::machine_fit {

struct NoiseEstimate {
  double deviation = 0;
  double finest = 0;  // what the printed digits alone cause
};

// Compares each size with the line between its neighbours on its curve, and each measurement with the others of its
// size. Points of a curve are in the order of their sizes. Steps and wild values are few, so the median does not see
// them.
NoiseEstimate estimate_noise(const std::vector<std::vector<TimedSize>>& curves, Noise noise);

}  // namespace wave::analysis::machine_fit
