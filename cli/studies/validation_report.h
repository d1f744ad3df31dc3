// What `wave validate` found, to be written.
#pragma once

#include "analysis/validation/validation.h"
#include "cli/formats/document.h"
#include "cli/studies/measured_model.h"

#include <string>

namespace wave::cli {

struct ValidationReport {
  Session& session;
  const MeasuredModel& measured;
  const analysis::Validation& validation;  // of its configurations
};

Document document_of(const ValidationReport& report);

// "+4.2 %".
std::string signed_percent(double share);
std::string percent(double share);

}  // namespace wave::cli
