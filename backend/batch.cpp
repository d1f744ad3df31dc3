// Row by row: every row is an evaluation of its own.
#include "backend/batch.h"

#include "backend/batch_rows.h"
#include "backend/threads.h"
#include "backend/thresholds.h"

#include <fmt/format.h>

#include <numeric>

namespace wave::backend {

namespace {

class PlainBatch final : public Batch {
 public:
  PlainBatch(Engine& engine, const ir::System& system, std::vector<ir::DefinitionId> parameters,
             std::vector<Wanted> wanted, int threads)
      : engine_(engine),
        question_(system, std::move(parameters), std::move(wanted)),
        threads_(actual_threads(threads)),
        everything_(question_.wanted.size()) {
    std::iota(everything_.begin(), everything_.end(), 0);
  }

  std::variant<BatchResult, ir::Failure> evaluate(std::span<const InputColumn> columns, const Limits& limits,
                                                  const Progress& progress) override;
  std::string schedule() const override {
    return threads_ == 1 ? "row by row" : fmt::format("row by row, {} threads", threads_);
  }

 private:
  Engine& engine_;
  const BatchQuestion question_;
  const int threads_;
  std::vector<std::size_t> everything_;
};

std::variant<BatchResult, ir::Failure> PlainBatch::evaluate(std::span<const InputColumn> columns, const Limits& limits,
                                                            const Progress& progress) {
  Limits left = limits;
  auto made = make_table(question_, columns, left);
  if (auto* const failure = std::get_if<ir::Failure>(&made)) return std::move(*failure);
  BatchTable& table = std::get<BatchTable>(made);
  RowByRow rows(engine_, table, left, threads_);
  std::vector<RowByRow::Worker> workers(static_cast<std::size_t>(threads_), RowByRow::Worker(rows));
  const auto work = [&](std::size_t from, std::size_t to,
                        std::size_t thread) -> std::variant<std::size_t, ir::Failure> {
    for (std::size_t row = from; row < to; ++row) {
      if (auto failure = workers[thread].evaluate(row, everything_)) return std::move(*failure);
    }
    return to - from;
  };
  if (auto failure = for_each_chunk({table.rows, rows_in_chunk, threads_}, left, progress, work))
    return std::move(*failure);
  std::vector<std::vector<BatchFailure>> failures;
  for (RowByRow::Worker& worker : workers) failures.push_back(std::move(worker.failures));
  return BatchResult{std::move(table.outputs), by_row(std::move(failures)), 0};
}

}  // namespace

std::unique_ptr<Batch> make_plain_batch(Engine& engine, const ir::System& system,
                                        std::vector<ir::DefinitionId> parameters, std::vector<Wanted> wanted,
                                        int threads) {
  return std::make_unique<PlainBatch>(engine, system, std::move(parameters), std::move(wanted), threads);
}

}  // namespace wave::backend
