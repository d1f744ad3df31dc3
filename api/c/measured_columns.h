// Columns of the caller's as the table that a file of measurements would be.
#pragma once

#include "api/c/models.h"
#include "api/include/wave/wave.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::api {

struct MeasuredColumns {
  std::vector<std::string> names;
  std::string rows;  // CSV without its heading
};

// Takes the cells. Refuses null pointers, columns that are none, what is too long for a table, and NaN in columns that
// may not lack values.
MeasuredColumns take_columns(const wave_column* columns, std::size_t count, std::size_t rows,
                             const std::function<bool(const std::string& column)>& may_be_missing);

// What a question says of its table, which decides the units of columns that name none: those of parameters are in SI
// units, and so are measurements of an output.
struct MeasuredWords {
  std::string measured, show;  // empty: not said
  std::vector<std::string> ignored;
};
std::string table_text(Model& model, const MeasuredColumns& columns, const MeasuredWords& words);

}  // namespace wave::api
