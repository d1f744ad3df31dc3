// Where the time of an output goes, in a few words.
#pragma once

#include "analysis/breakdown.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis {

// By kind along critical paths if an output consists of times of processes alone, else by the parameters and literals
// that carry its time. In ps.
struct PartsOfTime {
  using Parts = std::vector<std::pair<std::string, double>>;
  double total = 0;
  Parts kinds;  // none if there is more to the output than these
  Parts shares;
  const Parts& parts() const { return kinds.empty() ? shares : kinds; }
};

// `lowered` has its literals as definitions; its other outputs are left out. Nothing: the parts are not found, or it
// has no such output of dimension time.
std::optional<PartsOfTime> parts_of_time(frontend::Lowered& lowered, const std::string& output,
                                         const MakeEngine& engines, const backend::Limits& limits);

// The largest few: "computation 84 %", "overhead 9 %".
std::vector<std::string> largest_parts(const PartsOfTime& time);

}  // namespace wave::analysis
