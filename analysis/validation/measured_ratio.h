// Columns of speed-ups and efficiencies: which expression of a model they measure.
#pragma once

#include "analysis/validation/measured_data.h"

#include <string>

namespace wave::analysis {

// `time[ranks = 1] / time` of a column of speed-ups, where `time` is the output that was measured. Empty if the name of
// the column says nothing of the kind, or no count varies.
std::string ratio_of_times(const MeasuredData& data, const std::string& output);

}  // namespace wave::analysis
