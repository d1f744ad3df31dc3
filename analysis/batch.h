// A lowered model over many sets of parameter values: columns in, columns out, and what failed.
#pragma once

#include "analysis/tables/table.h"
#include "backend/batch.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace wave::analysis {

// Whether an output is one value or one record, evaluated by itself, and so gives columns.
bool gives_columns(const ir::System& system, const frontend::OutputInfo& output);

// An engine's failure at a row, in the words of the program.
RowFailure explain(const frontend::Lowered& lowered, const ir::Failure& failure);
// Of an output whose value is NaN or infinite.
RowFailure not_finite(const frontend::OutputInfo& output);

struct BatchValues {
  std::vector<Cells> columns;      // of all outputs, one after the other; NaN or 0 where they failed
  std::vector<FailedRows> failed;  // by first row; of several failures in a row the first counts
  std::size_t in_lanes = 0;        // rows that were evaluated in vector lanes
};

class ModelBatch {
 public:
  // `parameters` are bindable definitions; every output gives columns. `lowered` and `engine` outlive the batch. 0
  // threads: as many as the machine has.
  ModelBatch(const frontend::Lowered& lowered, backend::Engine& engine, const std::vector<ir::DefinitionId>& parameters,
             std::vector<const frontend::OutputInfo*> outputs, int threads);

  // One column for each parameter, all equally long.
  std::variant<BatchValues, ir::Failure> evaluate(std::span<const backend::InputColumn> columns,
                                                  const backend::Limits& limits,
                                                  const std::function<void(std::size_t rows)>& progress = {});
  const std::vector<const frontend::OutputInfo*>& outputs() const { return outputs_; }
  std::string schedule() const { return batch_->schedule(); }

 private:
  const frontend::Lowered& lowered_;
  std::vector<const frontend::OutputInfo*> outputs_;
  std::unique_ptr<backend::Batch> batch_;
};

}  // namespace wave::analysis
