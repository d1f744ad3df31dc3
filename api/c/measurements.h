// Measured data of the caller's, a file or columns, as a table among the sources of a program.
#pragma once

#include "analysis/validation/measured_model.h"
#include "api/c/models.h"
#include "api/c/results.h"

#include <functional>
#include <memory>
#include <vector>

namespace wave::api {

// The caller's structure. Refuses null pointers, and columns that are none.
wave_measurements checked_measurements(const wave_measurements* given);

// Ends the call where the data cannot be read. While nobody else reads the program.
analysis::MeasuredQuestion question_of(Model& model, const wave_measurements& measurements);

// The model for those who ask about measurements; `given` are the texts of all its values.
analysis::GivenModel given_model(const Model& model, std::vector<std::string> given, const backend::Limits& limits);

// What the options of fits have in common: WAVE_RELATIVE or WAVE_ABSOLUTE, and a probability, where 0 is the usual one.
bool is_absolute(int errors);
double confidence_of(double given, double usual);

// What decimals begin with; null: a point. `argument` is the structure that has it, as messages call it.
char decimal_of(const char* given, const char* argument);

// Predictions are made while others may read the program, unless machines vary, which are lowered when their turn
// comes. Gives the lock back as it took it.
void while_others_read(std::unique_lock<std::mutex>& reading, const analysis::MeasuredModel& measured,
                       const std::function<void()>& work);

// The configurations as a table, with `more` columns behind the measurements, whose quantity and unit are those of the
// measurements unless they have a type.
struct MoreColumn {
  std::string name;
  std::vector<double> values;
  frontend::TypeRef type = {};
};
Table configurations_table(const analysis::MeasuredData& data, const std::vector<MoreColumn>& more,
                           std::vector<analysis::FailedRows> failed = {});

// A table of a single row.
Table record_of(const std::string& name, const std::vector<std::pair<frontend::ColumnInfo, analysis::Cell>>& fields);

// What is to be said beside a result: warnings, and why rows failed. Null: nothing.
std::shared_ptr<Error> remarks_of(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics);

}  // namespace wave::api
