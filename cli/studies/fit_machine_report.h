// What a machine's fit found, for people and for programs.
#pragma once

#include "analysis/machine_fit/machine_fit.h"

#include <string>
#include <vector>

namespace wave::cli {

struct FitReport {
  const analysis::machine_fit::MachineFit& fit;
  std::string tool;
  std::vector<std::string> files;
  std::vector<std::string> remarks;  // of reading them
};

std::string render_fit_text(const FitReport& report);
std::string render_fit_json(const FitReport& report);
// The parameters alone.
std::string render_fit_csv(const FitReport& report);

}  // namespace wave::cli
