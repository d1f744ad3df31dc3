// What a model predicts for measured configurations.
#pragma once

#include "analysis/study/study_model.h"
#include "analysis/validation/measured_data.h"

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::analysis {

// Values of parameters that the data do not have, all lists equally long: each set of them is a trial.
using Trials = std::vector<std::pair<std::string, std::vector<double>>>;

struct Predictions {
  std::size_t trials = 1;
  // Trial by trial, of each the configurations in their order. NaN where the model failed.
  std::vector<double> values;
  std::vector<FailedPoint> failed;  // by row: trial * configurations + configuration
  // Of each configuration, whether the second of what is shown holds; 1 where there is none.
  std::vector<std::int64_t> holds;
};

// What `model` shows first, for `data` and each of `trials`. Every variable of the model is in the one or in the other.
std::variant<Predictions, ir::Failure> predict(StudyModel& model, const MeasuredData& data, const Trials& trials,
                                               const backend::Limits& limits,
                                               const std::function<void(std::size_t rows)>& progress = {});

// Whether the prediction can be compared with the measurements. False, with a diagnostic, if it cannot.
bool check_same_quantity(const Shown& shown, const MeasuredData& data, frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis
