// What an engine does: a system and bound parameters in, rows of scalars out. There is one evaluator; what is large it
// may hand to compiled kernels, which give the same bits (backend/interpreter/, backend/kernels/).
#pragma once

#include "backend/engine_options.h"
#include "ir/system.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wave::backend {

class Observer;

struct Limits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::size_t memory_bytes = std::size_t{8} << 30;  // for the values of events and result rows
  double time_budget_seconds = 0;                   // what `deadline` was made from, for messages; 0: none
  // Set: nobody wants the result any more, as if the deadline had passed. Outlives the evaluation.
  const std::atomic<bool>* stop = nullptr;
  Observer* observer = nullptr;  // is told of what takes long (backend/observer.h); outlives the evaluation
};

// How the events of one group were evaluated (`--verbose`).
struct EventReport {
  std::string event;
  std::string schedule;  // "rows i outer, j inner", "hyperplane i + j", ...
  double cells = 0;
  double bound = 0;                   // no time in the system is larger; 0 where not exact
  double quantum = 0;                 // weights are multiples of it; 0 where not exact
  double error = 0;                   // largest rounding error of a value: summands on a path * quantum / 2
  std::string not_compiled;           // why its cells were evaluated as they are although code was wanted
  bool has_fractional_sizes = false;  // of a process: some message has no whole number of bytes
};

struct Rows {
  std::size_t columns = 0;
  std::vector<ir::Scalar> cells;  // row-major; NaNs are canonical
  std::size_t count() const { return columns == 0 ? 0 : cells.size() / columns; }
};

using Outcome = std::variant<Rows, ir::Failure>;

using Binding = std::pair<ir::DefinitionId, ir::Scalar>;

// One evaluation: parameters are bound, definitions are remembered, roots are asked for one by one.
class Evaluation {
 public:
  virtual ~Evaluation() = default;
  virtual Outcome evaluate(ir::RootId root) = 0;
  // The value of a definition of the root frame (one column, one row).
  virtual Outcome evaluate(ir::DefinitionId definition) = 0;
  virtual std::vector<EventReport> reports() const = 0;
};

class Batch;

class Engine {
 public:
  virtual ~Engine() = default;
  virtual const char* name() const = 0;
  // Starts an evaluation; cheap, and independent of others. The engine outlives it.
  virtual std::unique_ptr<Evaluation> start(const std::vector<Binding>& bindings, const Limits& limits) = 0;
  // See backend/batch.h. Null: the engine has no way of its own (make_plain_batch). The engine outlives it.
  virtual std::unique_ptr<Batch> batch(const std::vector<ir::DefinitionId>& parameters,
                                       const std::vector<std::variant<ir::DefinitionId, ir::RootId>>& wanted);
};

// Evaluates everything as it is. `system` must have passed ir::verify and outlive the engine.
std::unique_ptr<Engine> make_interpreter(const ir::System& system, const EngineOptions& options = {});

}  // namespace wave::backend
