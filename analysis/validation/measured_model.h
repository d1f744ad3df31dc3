// A model and measurements of what it predicts: what comparing the two, and fitting the model, begin with.
#pragma once

#include "analysis/validation/measured_data.h"
#include "analysis/validation/validation.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

// A model with values for some of its parameters, and what evaluates it.
struct GivenModel {
  frontend::Program& program;
  const frontend::Item& model;
  std::vector<std::string> given;  // "n=8", as -D takes it
  StudyModel::EngineMaker engines;
  int threads = 0;
  backend::Limits limits;
};

// A table of measurements, and what it is compared with.
struct MeasuredQuestion {
  std::uint32_t file = 0;  // the table, among the program's sources
  std::string name;        // what messages call it
  MeasuredColumns columns;
  std::vector<std::string>
      show;  // what was measured, "12 * exact"; empty: the output of the column's name, or dimension
  std::vector<std::string> where;   // what must hold for a row; empty: all rows are taken
  std::vector<std::string> fitted;  // parameters whose values come from elsewhere
};

struct MeasuredModel {
  const frontend::Item* model = nullptr;
  std::string file;  // the measurements, as messages call them
  std::optional<MeasuredData> data;
  std::unique_ptr<frontend::Item> asked;
  std::unique_ptr<StudyModel> points;  // its first shown is what was measured
  std::size_t left_out = 0;            // configurations for which the conditions did not hold
  const Shown& shown() const { return points->shown().front(); }
};

// Nothing, with diagnostics, after an error.
std::optional<MeasuredModel> open_measured(const GivenModel& of, const MeasuredQuestion& question,
                                           frontend::Diagnostics& diagnostics);

// What the model shows at every configuration and trial. Nothing, with a diagnostic, when time or memory are out.
std::optional<Predictions> predict(MeasuredModel& measured, const Trials& trials, const backend::Limits& limits,
                                   frontend::Diagnostics& diagnostics,
                                   const std::function<void(std::size_t rows)>& progress = {});

// What failed, once for each kind, at the row where it happened first.
void report_failed(const MeasuredModel& measured, const Predictions& predictions, frontend::Diagnostics& diagnostics);

// The predictions of one trial beside the means of what was measured.
Validation validate(const MeasuredModel& measured, const Predictions& predictions, Preference wanted);
// Least times are the best, and the largest rates.
Preference wanted_of(frontend::Dimension dimension);

// Whether an output of the model is one value, and not where a time goes.
bool is_one_value(const frontend::item::Output& output);

}  // namespace wave::analysis
