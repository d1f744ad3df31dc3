// The rows of a batch in the notations of `wave batch`.
#pragma once

#include "analysis/batch.h"
#include "analysis/value_table.h"

#include <string>
#include <vector>

namespace wave::cli {

struct BatchResults {
  std::string file, model, engine;
  const frontend::Sources* sources = nullptr;
  const analysis::ValueTable* table = nullptr;
  std::vector<const frontend::OutputInfo*> outputs;
  std::vector<std::string> words;  // strings, by the integer that stands for them
  const analysis::BatchValues* values = nullptr;
};

// The lines of the table as they were, each with the outputs in full precision behind it, and what failed first. An
// output that failed is empty; the others of its row are there.
std::string render_batch_csv(const BatchResults& results);

// One document: {"wave", "file", "model", "engine", "columns": [{"name", "unit", "is"}], "rows": [[...]], "failed":
// [{"row", "code", "words"}]}. Rows count from 1; what failed of a row is null.
std::string render_batch_json(const BatchResults& results);

}  // namespace wave::cli
