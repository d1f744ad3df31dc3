// Points and what was found at them, as columns: what studies write, pictures show, and fits read.
#pragma once

#include "analysis/tables/failures.h"
#include "analysis/value_table.h"
#include "frontend/check/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis {

struct ResultColumn {
  std::string name;        // "n", "net.L", "total", of a record its field
  frontend::TypeRef type;  // int, real with a dimension, bool, string, choice; where `labels` are, whatever it is
  std::optional<frontend::Unit> unit;  // `in ms`
  std::string doc;
  bool varied = false;  // an input; else something that was found
  // Quantities in base units (ps, B, flop), NaN where they failed; integers, truth values, ordinals of choices.
  ColumnValues values;
  // Of machines, orders and strings: their texts, counted by `values`. Empty for the other types.
  std::vector<std::string> labels;
  // Rows at which it failed, rising. Other columns of such a row may have values.
  std::vector<std::size_t> missing = {};
};

struct ResultTable {
  std::vector<ResultColumn> columns;  // all equally long
  std::size_t rows = 0;
  std::size_t in_lanes = 0;        // of these, how many were evaluated in vector lanes
  std::vector<FailedRows> failed;  // by first row; of several failures in a row the first counts
};

}  // namespace wave::analysis
