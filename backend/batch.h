// Evaluates one model over arrays of parameter values: columns in, columns out. The engine compiles the model once. If
// only scalars are left of it, several rows are evaluated at a time in vector lanes.
#pragma once

#include "backend/engine.h"

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

namespace wave::backend {

// The values of one bindable definition, one per row. Choices and strings are integers, booleans 0 and 1.
using InputColumn = std::variant<std::span<const double>, std::span<const std::int64_t>>;
using OutputColumn = std::variant<std::vector<double>, std::vector<std::int64_t>>;

// A row in which something that was wanted failed. The values in its columns are then NaN, or 0 if they are integers.
struct BatchFailure {
  std::size_t row = 0;
  std::vector<std::size_t> columns;  // of the result: the first of each that failed, rising
  ir::Failure failure;               // of the first
};

struct BatchResult {
  std::vector<OutputColumn> columns;   // in the order of what was wanted; a root gives as many as it has
  std::vector<BatchFailure> failures;  // by row; all of them
  std::size_t in_lanes = 0;            // rows that were evaluated in vector lanes
};

// What is wanted of a row: a definition of the root frame, or a root with one block without levels.
using Wanted = std::variant<ir::DefinitionId, ir::RootId>;

// Each row is what `Engine::start` with these bindings would give, failures included: the same bits. Rows share
// nothing.
class Batch {
 public:
  virtual ~Batch() = default;
  // Takes one column per parameter of the batch, all of one length: doubles if the parameter is real, integers
  // otherwise. At a deadline, or if the memory does not suffice, it returns the failure and no rows. `progress` is told
  // now and then how many rows are done, from one thread at a time.
  virtual std::variant<BatchResult, ir::Failure> evaluate(
      std::span<const InputColumn> columns, const Limits& limits,
      const std::function<void(std::size_t rows)>& progress = {}) = 0;
  // How rows are evaluated, for `--verbose`: "8 rows in lanes", "row by row: `start` is a recurrence".
  virtual std::string schedule() const = 0;
};

// Evaluates row by row through `engine`, on `threads` threads. It serves engines without batches of their own, and the
// rows that those leave.
std::unique_ptr<Batch> make_plain_batch(Engine& engine, const ir::System& system,
                                        std::vector<ir::DefinitionId> parameters, std::vector<Wanted> wanted,
                                        int threads);

}  // namespace wave::backend
