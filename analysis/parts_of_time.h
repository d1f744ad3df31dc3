// Where the time of an output goes, in a few words.
#pragma once

#include "analysis/breakdown.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis {

// The kinds along a critical path where a process is behind the output, else the parameters and literals that carry its
// time. In ps.
struct PartsOfTime {
  double total = 0;
  std::vector<std::pair<std::string, double>> parts;
};

// `lowered` has its literals as definitions; its other outputs are left out. Nothing: the parts are not found, or it
// has no such output of dimension time.
std::optional<PartsOfTime> parts_of_time(frontend::Lowered& lowered, const std::string& output,
                                         const MakeEngine& engines, const backend::Limits& limits);

// The largest few: "computation 84 %", "overhead 9 %".
std::vector<std::string> largest_parts(const PartsOfTime& time);

}  // namespace wave::analysis
