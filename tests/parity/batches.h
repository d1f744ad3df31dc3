// Compares batches with single evaluations by the interpreter.
#pragma once

#include "backend/batch.h"
#include "ir/system.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace wave::parity {

// The columns of a batch's parameters.
struct Table {
  using Column = std::variant<std::vector<double>, std::vector<std::int64_t>>;
  std::vector<ir::DefinitionId> parameters;
  std::vector<Column> columns;

  void add(ir::DefinitionId parameter, std::vector<double> values) {
    parameters.push_back(parameter), columns.emplace_back(std::move(values));
  }
  void add(ir::DefinitionId parameter, std::vector<std::int64_t> values) {
    parameters.push_back(parameter), columns.emplace_back(std::move(values));
  }
  std::size_t rows() const;
  std::vector<backend::InputColumn> inputs() const;
  std::vector<backend::Binding> bindings(const ir::System& system, std::size_t row) const;
};

struct BatchComparison {
  std::string difference;  // of the first row that differs; empty if none does
  std::size_t rows = 0;
  std::size_t failed = 0;  // rows in which something fails
  std::size_t in_lanes = 0;
  bool limited = false;  // the batch ran out of time, so the comparison says nothing
  std::string schedule;
};

// Compares every row of the batch with the interpreter, bit by bit, failures included.
BatchComparison compare(const ir::System& system, backend::Engine& interpreter, backend::Batch& batch,
                        const Table& table, const std::vector<backend::Wanted>& wanted,
                        const backend::Limits& limits = {});
// The same with engines made for this call.
BatchComparison compare_batch(const ir::System& system, const Table& table, const std::vector<backend::Wanted>& wanted,
                              const backend::EngineOptions& options = {});

struct BatchCampaign {
  std::string difference;
  std::size_t batches = 0, rows = 0, failed = 0, in_lanes = 0, limited = 0;
};
// Checks random systems with random columns, for `count` seeds from `first` on, with events or with scalars only.
BatchCampaign compare_random_batches(std::uint64_t first, std::uint64_t count, bool events, int threads);

}  // namespace wave::parity
