// The rows of a batch, to be written.
#pragma once

#include "analysis/batch.h"
#include "analysis/value_table.h"
#include "cli/formats/document.h"

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

// One table of rows: what the table of values gave, then the outputs in full precision, and what failed first. An
// output that failed is missing; the others of its row are there. CSV repeats the lines of the table as they were. As a
// document:
// {"wave", "file", "model", "engine", "columns": [{"name", "unit", "is"}], "rows": [[...]], "failed": [{"row", "code",
// "words"}]}. `results` outlive it.
Document document_of(const BatchResults& results);

}  // namespace wave::cli
