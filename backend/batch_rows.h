// What all batches share: their columns, rows that are evaluated one by one, and chunks of rows over threads.
#pragma once

#include "backend/batch.h"

#include <atomic>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

namespace wave::backend {

// What is asked of every row.
struct BatchQuestion {
  BatchQuestion(const ir::System& system, std::vector<ir::DefinitionId> parameters, std::vector<Wanted> wanted);

  const ir::System& system;
  const std::vector<ir::DefinitionId> parameters;
  const std::vector<Wanted> wanted;
  std::vector<ir::ScalarType> types;      // of the columns of the result
  std::vector<std::size_t> first_column;  // per wanted
  std::size_t columns_of(std::size_t wanted) const;
};

// Rows in, columns out, while a batch is being evaluated.
struct BatchTable {
  const BatchQuestion& question;
  std::span<const InputColumn> inputs;
  std::size_t rows = 0;
  std::vector<OutputColumn> outputs;

  ir::Scalar input(std::size_t parameter, std::size_t row) const;
  void set(std::size_t column, std::size_t row, ir::Scalar value);
  // NaN, or 0 where it is an integer.
  void set_failed(std::size_t column, std::size_t row);
};

// Returns the table with its memory, or why there is none. `limits` keeps what remains of the memory. Throws
// std::invalid_argument if the columns differ in length, or do not have the types of the parameters.
std::variant<BatchTable, ir::Failure> make_table(const BatchQuestion& question, std::span<const InputColumn> inputs,
                                                 Limits& limits);

// Evaluates rows by an engine. From several threads at a time, each with a Worker of its own.
class RowByRow {
 public:
  // `limits` are those of the whole batch. While several rows are being evaluated, each has its share of the memory. A
  // row that needs more is evaluated again, alone.
  RowByRow(Engine& engine, BatchTable& table, const Limits& limits, int threads);

  class Worker {
   public:
    explicit Worker(RowByRow& all) : all_(all) {}
    // The columns of these `wanted` (numbers, rising). The failure at which the whole batch ends.
    std::optional<ir::Failure> evaluate(std::size_t row, std::span<const std::size_t> wanted);
    std::vector<BatchFailure> failures;  // rows that failed

   private:
    enum class End { done, needs_memory, over };
    End evaluate(std::size_t row, std::span<const std::size_t> wanted, const Limits& limits, bool is_share);
    End take(std::size_t row, std::size_t wanted, const Outcome& outcome, bool is_share);

    RowByRow& all_;
    std::vector<Binding> bindings_;
    std::optional<BatchFailure> failed_;  // of the present row
    ir::Failure over_;
  };

 private:
  Engine& engine_;
  BatchTable& table_;
  const Limits limits_;
  Limits share_;
  std::shared_mutex memory_;  // shared by rows with their share, exclusive for one with everything
  std::atomic<std::size_t> failed_rows_{0};
};

// The failures of all workers, by row.
std::vector<BatchFailure> by_row(std::vector<std::vector<BatchFailure>> failures);

using Progress = std::function<void(std::size_t rows)>;
// Works on a chunk of rows: how many of them are done then, or the failure at which everything ends.
using ChunkWork =
    std::function<std::variant<std::size_t, ir::Failure>(std::size_t from, std::size_t to, std::size_t thread)>;

struct Chunking {
  std::size_t rows = 0;
  std::size_t rows_in_chunk = 1;
  int threads = 1;
  std::size_t done_before = 0;  // rows that count for `progress` already
};

// Threads take chunks of rows in turn, as each of them is ready. They are numbered from 0 and have big stacks. All stop
// at the first failure and at the deadline.
std::optional<ir::Failure> for_each_chunk(const Chunking& chunking, const Limits& limits, const Progress& progress,
                                          const ChunkWork& work);

}  // namespace wave::backend
