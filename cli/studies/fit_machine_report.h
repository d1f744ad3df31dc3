// What a machine's fit found, for people and for programs.
#pragma once

#include "analysis/machine_fit/machine_fit.h"
#include "cli/formats/document.h"

#include <string>
#include <vector>

namespace wave::cli {

struct FitReport {
  const analysis::machine_fit::MachineFit& fit;
  std::string tool;
  std::vector<std::string> files;
  std::vector<std::string> remarks;  // of reading them
};

// Rows are the parameters alone.
Document document_of(const FitReport& report);

}  // namespace wave::cli
