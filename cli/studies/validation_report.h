// What `wave validate` found, in its three notations.
#pragma once

#include "analysis/validation/validation.h"
#include "cli/studies/measured_model.h"

#include <string>

namespace wave::cli {

struct ValidationReport {
  Session& session;
  const MeasuredModel& measured;
  const analysis::Validation& validation;  // of its configurations
};

std::string render_validation_table(const ValidationReport& report);
std::string render_validation_json(const ValidationReport& report);
std::string render_validation_csv(const ValidationReport& report);

// "+4.2 %".
std::string signed_percent(double share);
std::string percent(double share);

}  // namespace wave::cli
