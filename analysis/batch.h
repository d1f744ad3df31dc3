// A lowered model over many sets of parameter values: columns in, columns out, and what failed by row and by kind.
#pragma once

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

struct FailedRow {
  std::size_t row = 0;
  std::size_t kind = 0;  // of BatchValues::kinds
};

// The words for a row that failed. They are the same for all rows that failed in this way; the rest of a message may
// differ.
struct FailureWords {
  frontend::DiagnosticKind kind{};
  std::string words;  // the author's, of `error` and `require`; else the title of the kind
  friend auto operator<=>(const FailureWords&, const FailureWords&) = default;
};
FailureWords words_of(frontend::DiagnosticKind kind, const ir::System& system, const ir::Failure& failure);

// All rows that failed in the same way, by their first.
struct FailedKind : FailureWords {
  std::size_t count = 0;
  std::size_t first_row = 0;
  const frontend::OutputInfo* output = nullptr;  // of an output that is no finite number; then there is no failure
  ir::Failure failure;                           // of the first row
};

struct BatchValues {
  std::vector<backend::OutputColumn> columns;     // of all outputs, one after the other; NaN or 0 where they failed
  std::vector<std::vector<std::size_t>> missing;  // of each column the rows without a value, rising
  std::vector<FailedRow> failed;                  // by row; of several failures in a row the first
  std::vector<FailedKind> kinds;                  // by first row
  std::size_t in_lanes = 0;                       // rows that were evaluated in vector lanes
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
  FailureWords words_of(const ir::Failure& failure) const;

  const frontend::Lowered& lowered_;
  std::vector<const frontend::OutputInfo*> outputs_;
  std::unique_ptr<backend::Batch> batch_;
};

}  // namespace wave::analysis
