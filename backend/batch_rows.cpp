// Evaluates rows one by one, and shares the rows of a batch among threads.
#include "backend/batch_rows.h"

#include "backend/batch_thread.h"
#include "backend/limits.h"
#include "backend/threads.h"
#include "base/big_stack.h"
#include "ir/arithmetic.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>

namespace wave::backend {

// --- columns ---

namespace {

const std::vector<ir::ValueId>& columns_of(const ir::System& system, ir::RootId root) {
  return system[root].blocks.front().columns;
}

}  // namespace

BatchQuestion::BatchQuestion(const ir::System& system, std::vector<ir::DefinitionId> parameters,
                             std::vector<Wanted> wanted)
    : system(system), parameters(std::move(parameters)), wanted(std::move(wanted)) {
  std::set<ir::DefinitionId> distinct(this->parameters.begin(), this->parameters.end());
  if (distinct.size() != this->parameters.size()) throw std::invalid_argument("a parameter has two columns");
  for (const Wanted& one : this->wanted) {
    first_column.push_back(types.size());
    if (const auto* const definition = std::get_if<ir::DefinitionId>(&one)) {
      types.push_back(system[*definition].type);
    } else {
      for (const ir::ValueId column : wave::backend::columns_of(system, std::get<ir::RootId>(one)))
        types.push_back(system[column].type);
    }
  }
}

std::size_t BatchQuestion::columns_of(std::size_t number) const {
  return (number + 1 < wanted.size() ? first_column[number + 1] : types.size()) - first_column[number];
}

ir::Scalar BatchTable::input(std::size_t parameter, std::size_t row) const {
  const InputColumn& column = inputs[parameter];
  if (const auto* const reals = std::get_if<std::span<const double>>(&column)) return ir::Scalar::of((*reals)[row]);
  const std::int64_t value = std::get<std::span<const std::int64_t>>(column)[row];
  switch (question.system[question.parameters[parameter]].type) {
    case ir::ScalarType::boolean: return ir::Scalar::of(value != 0);
    case ir::ScalarType::integer:
    case ir::ScalarType::real: break;
  }
  return ir::Scalar::of(value);
}

void BatchTable::set(std::size_t column, std::size_t row, ir::Scalar value) {
  if (auto* const reals = std::get_if<std::vector<double>>(&outputs[column])) {
    (*reals)[row] = ir::arithmetic::canonical(value.real);
  } else {
    std::get<std::vector<std::int64_t>>(outputs[column])[row] =
        value.type == ir::ScalarType::boolean ? std::int64_t{value.boolean} : value.integer;
  }
}

void BatchTable::set_failed(std::size_t column, std::size_t row) {
  if (auto* const reals = std::get_if<std::vector<double>>(&outputs[column])) {
    (*reals)[row] = std::numeric_limits<double>::quiet_NaN();
  } else {
    std::get<std::vector<std::int64_t>>(outputs[column])[row] = 0;
  }
}

std::variant<BatchTable, ir::Failure> make_table(const BatchQuestion& question, std::span<const InputColumn> inputs,
                                                 Limits& limits) {
  BatchTable table{question, inputs, 0, {}};
  const auto rows_of = [](const InputColumn& column) {
    return std::visit([](const auto& values) { return values.size(); }, column);
  };
  if (inputs.size() != question.parameters.size()) throw std::invalid_argument("a column per parameter is needed");
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    const bool is_real = question.system[question.parameters[p]].type == ir::ScalarType::real;
    if (is_real != std::holds_alternative<std::span<const double>>(inputs[p]))
      throw std::invalid_argument("a column is not of its parameter's type");
    if (rows_of(inputs[p]) != rows_of(inputs.front())) throw std::invalid_argument("the columns are not equally long");
  }
  if (!inputs.empty()) table.rows = rows_of(inputs.front());
  const std::size_t bytes_per_row = 8 * question.types.size();
  if (bytes_per_row > 0 && table.rows > limits.memory_bytes / bytes_per_row) return rows_exceed_memory(limits);
  limits.memory_bytes -= table.rows * bytes_per_row;
  try {
    for (const ir::ScalarType type : question.types) {
      if (type == ir::ScalarType::real) {
        table.outputs.emplace_back(std::vector<double>(table.rows));
      } else {
        table.outputs.emplace_back(std::vector<std::int64_t>(table.rows));
      }
    }
  } catch (const std::bad_alloc&) {
    return rows_exceed_memory(limits);
  }
  return table;
}

// --- rows one by one ---

RowByRow::RowByRow(Engine& engine, BatchTable& table, const Limits& limits, int threads)
    : engine_(engine), table_(table), limits_(limits), share_(limits) {
  share_.memory_bytes /= static_cast<std::size_t>(std::max(1, threads));
  share_.observer = nullptr;  // it would be told from many threads about many rows
}

std::optional<ir::Failure> RowByRow::Worker::evaluate(std::size_t row, std::span<const std::size_t> wanted) {
  bindings_.clear();
  for (std::size_t p = 0; p < all_.table_.inputs.size(); ++p) {
    bindings_.emplace_back(all_.table_.question.parameters[p], all_.table_.input(p, row));
  }
  const bool has_all = all_.share_.memory_bytes == all_.limits_.memory_bytes;
  End end;
  {
    const std::shared_lock lock(all_.memory_);
    end = evaluate(row, wanted, all_.share_, !has_all);
  }
  if (end == End::needs_memory) {
    const std::unique_lock lock(all_.memory_);
    Limits alone = all_.limits_;
    alone.observer = nullptr;
    end = evaluate(row, wanted, alone, false);
  }
  if (end == End::over) return std::move(over_);
  if (!failed_) return std::nullopt;
  // Failures that are kept take memory, too.
  const std::size_t most = all_.limits_.memory_bytes / (2 * sizeof(BatchFailure));
  if (++all_.failed_rows_ > most) return rows_exceed_memory(all_.limits_);
  failures.push_back(std::move(*failed_));
  return std::nullopt;
}

RowByRow::Worker::End RowByRow::Worker::evaluate(std::size_t row, std::span<const std::size_t> wanted,
                                                 const Limits& limits, bool is_share) {
  failed_.reset();
  const std::unique_ptr<Evaluation> evaluation = all_.engine_.start(bindings_, limits);
  for (const std::size_t number : wanted) {
    const Outcome outcome =
        std::visit([&](auto id) { return evaluation->evaluate(id); }, all_.table_.question.wanted[number]);
    const End end = take(row, number, outcome, is_share);
    if (end != End::done) return end;
  }
  return End::done;
}

RowByRow::Worker::End RowByRow::Worker::take(std::size_t row, std::size_t wanted, const Outcome& outcome,
                                             bool is_share) {
  BatchTable& table = all_.table_;
  const std::size_t first = table.question.first_column[wanted];
  const std::size_t count = table.question.columns_of(wanted);
  if (const auto* const rows = std::get_if<Rows>(&outcome)) {
    for (std::size_t column = 0; column < count; ++column) table.set(first + column, row, rows->cells[column]);
    return End::done;
  }
  const ir::Failure& failure = std::get<ir::Failure>(outcome);
  if (failure.kind == ir::FailureKind::memory_limit && is_share) return End::needs_memory;
  if (failure.kind == ir::FailureKind::time_limit) {
    over_ = failure;
    return End::over;
  }
  for (std::size_t column = 0; column < count; ++column) table.set_failed(first + column, row);
  if (!failed_) failed_ = BatchFailure{row, {}, failure};
  failed_->columns.push_back(first);
  return End::done;
}

std::vector<BatchFailure> by_row(std::vector<std::vector<BatchFailure>> failures) {
  std::vector<BatchFailure> all;
  for (std::vector<BatchFailure>& part : failures) {
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  std::sort(all.begin(), all.end(), [](const BatchFailure& a, const BatchFailure& b) { return a.row < b.row; });
  return all;
}

// --- threads ---

namespace {

// Marks the thread that it lives on, also where that is left by an exception.
class OneOfSeveral {
 public:
  explicit OneOfSeveral(bool several) : before_(is_one_of_several_batch_threads) {
    is_one_of_several_batch_threads = several;
  }
  ~OneOfSeveral() { is_one_of_several_batch_threads = before_; }
  OneOfSeveral(const OneOfSeveral&) = delete;
  OneOfSeveral& operator=(const OneOfSeveral&) = delete;

 private:
  const bool before_;
};

// What the threads of one batch have in common.
class Chunks {
 public:
  Chunks(const Chunking& chunking, const Limits& limits, const Progress& progress)
      : chunking_(chunking), limits_(limits), progress_(progress), done_(chunking.done_before) {}

  void take(const ChunkWork& work, std::size_t thread) {
    while (!stopped_) {
      const std::size_t from = next_.fetch_add(chunking_.rows_in_chunk);
      if (from >= chunking_.rows) return;
      auto done = work(from, std::min(chunking_.rows, from + chunking_.rows_in_chunk), thread);
      if (auto* const failure = std::get_if<ir::Failure>(&done)) return stop(std::move(*failure));
      tell(std::get<std::size_t>(done));
      if (is_over(limits_)) return stop(deadline_passed(limits_));
    }
  }

  // Runs `thread`; what it throws is kept for `end`. Where memory is out, nothing here asks for more.
  template <class Thread>
  void guard(const Thread& thread) {
    try {
      thread();
    } catch (const std::bad_alloc&) {
      is_memory_out_ = true;
      stopped_ = true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      if (!thrown_) thrown_ = std::current_exception();
    }
  }

  std::optional<ir::Failure> end() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (!failure_ && is_memory_out_) return rows_exceed_memory(limits_);
    return std::move(failure_);
  }

 private:
  void stop(ir::Failure failure) {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (!failure_) failure_ = std::move(failure);
  }

  void tell(std::size_t rows) {
    const std::lock_guard lock(mutex_);
    done_ += rows;
    if (progress_ && !stopped_) progress_(done_);
  }

  const Chunking& chunking_;
  const Limits& limits_;
  const Progress& progress_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false}, is_memory_out_{false};
  std::mutex mutex_;
  std::size_t done_;
  std::optional<ir::Failure> failure_;
  std::exception_ptr thrown_;
};

}  // namespace

std::optional<ir::Failure> for_each_chunk(const Chunking& chunking, const Limits& limits, const Progress& progress,
                                          const ChunkWork& work) {
  const std::size_t chunks = (chunking.rows + chunking.rows_in_chunk - 1) / chunking.rows_in_chunk;
  const std::size_t count = std::min(chunks, static_cast<std::size_t>(chunking.threads));
  Chunks all(chunking, limits, progress);
  const auto run = [&](std::size_t thread) {
    all.guard([&] {
      run_on_big_stack([&](std::size_t) {
        const OneOfSeveral marked(count > 1);
        all.take(work, thread);
      });
    });
  };
  if (count > 0)
    work_on_threads(static_cast<int>(count), [&](int thread, int) { run(static_cast<std::size_t>(thread)); });
  return all.end();
}

}  // namespace wave::backend
