// What helps with measurements without a unit: it has to be said, or they are speed-ups or efficiencies.
#pragma once

#include "analysis/validation/measured_data.h"

#include <string>

namespace wave::analysis {

// `time[ranks = 1] / time` of a column of speed-ups, where `time` is the output that was measured. Empty if the name of
// the column says nothing of the kind, or no count varies.
std::string ratio_of_times(const MeasuredData& data, const std::string& output);

// Adds how to go on where an output of that dimension was measured.
void help_on_missing_unit(const MeasuredData& data, const std::string& output, frontend::Dimension dimension,
                          frontend::Diagnostic& diagnostic);

}  // namespace wave::analysis
