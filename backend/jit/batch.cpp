// Evaluates all rows in lanes first, and then, one by one, those that got no value there.
#include "backend/jit/batch.h"

#include "backend/batch_rows.h"
#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/jit/runtime.h"
#include "backend/jit/structure.h"
#include "backend/jit/thresholds.h"
#include "backend/limits.h"
#include "backend/threads.h"
#include "backend/thresholds.h"
#include "base/big_stack.h"
#include "base/text.h"
#include "ir/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

namespace wave::jit {

namespace {

using backend::BatchFailure;
using backend::BatchResult;
using backend::BatchTable;

using BatchFunction = std::int32_t (*)(Context*, Record*, const void* const*, std::int64_t from, std::int64_t to);

class JitBatch final : public backend::Batch {
 public:
  JitBatch(backend::Engine& rows, SharedCompilation& shared, const ir::System& system,
           std::vector<ir::DefinitionId> parameters, std::vector<backend::Wanted> wanted);

  std::variant<BatchResult, ir::Failure> evaluate(std::span<const backend::InputColumn> columns,
                                                  const backend::Limits& limits,
                                                  const backend::Progress& progress) override;
  std::string schedule() const override;

 private:
  void compile();
  std::vector<const void*> arguments(BatchTable& table, std::uint8_t* bad) const;
  void run_lanes(BatchTable& table, std::uint8_t* bad, std::size_t from, std::size_t to);
  void run_tail(BatchTable& table, std::uint8_t* bad, std::size_t from, std::size_t to);
  std::optional<ir::Failure> evaluate_in_lanes(BatchTable& table, std::vector<std::uint8_t>& bad,
                                               const backend::Limits& limits, const backend::Progress& progress);
  std::optional<ir::Failure> evaluate_rest(BatchTable& table, const std::vector<std::uint8_t>& bad,
                                           const backend::Limits& limits, const backend::Progress& progress,
                                           BatchResult& result);

  backend::Engine& rows_;
  const backend::BatchQuestion question_;
  const int threads_;
  BatchPlan plan_;
  CompiledSystem compiled_;
  Context context_;
  BatchFunction function_ = nullptr;     // null: nothing is in lanes
  std::vector<std::size_t> everything_;  // that is wanted
};

JitBatch::JitBatch(backend::Engine& rows, SharedCompilation& shared, const ir::System& system,
                   std::vector<ir::DefinitionId> parameters, std::vector<backend::Wanted> wanted)
    : rows_(rows),
      question_(system, std::move(parameters), std::move(wanted)),
      threads_(backend::actual_threads(shared.options.threads)),
      plan_(plan_batch(system, shared.options, question_.parameters, question_.wanted)),
      compiled_(plan_.system, shared),
      everything_(question_.wanted.size()) {
  context_.tables = &compiled_.system.tables;
  std::iota(everything_.begin(), everything_.end(), 0);
  if (!plan_.shape.outputs.empty()) run_on_big_stack([&](std::size_t) { compile(); });
  if (!function_) plan_.slow = everything_;
}

void JitBatch::compile() {
  plan_.shape.lanes = compiled_.compiler.vectors().lanes;
  if (plan_.shape.lanes == 0) {
    plan_.obstacles.emplace_back("there is no code for this machine");
    return;
  }
  Wanted wanted{Wanted::batch};
  wanted.columns = plan_.shape;
  std::string error;
  function_ = reinterpret_cast<BatchFunction>(compiled_.get(wanted, {}, error));
  if (!error.empty()) plan_.obstacles.push_back(error);
}

std::string JitBatch::schedule() const {
  std::string text = function_ ? fmt::format("{} rows in lanes", plan_.shape.lanes) : "row by row";
  if (threads_ > 1) text += fmt::format(", {} threads", threads_);
  if (!plan_.obstacles.empty())
    text += fmt::format("{}{}", function_ ? "; some columns row by row: " : ": ", join_texts(plan_.obstacles, ", "));
  if (function_ && plan_.obstacles.empty() && !plan_.left_out.empty()) {
    text += fmt::format("; rows that need it one by one: {}", join_texts(plan_.left_out, ", "));
  }
  return text;
}

// --- in lanes ---

template <class Column>
auto* data_of(Column& column) {
  return std::visit(
      [](auto& values) -> std::conditional_t<std::is_const_v<Column>, const void*, void*> { return values.data(); },
      column);
}

std::vector<const void*> JitBatch::arguments(BatchTable& table, std::uint8_t* bad) const {
  std::vector<const void*> all;
  for (const backend::InputColumn& column : table.inputs) all.push_back(data_of(column));
  for (std::size_t number = 0, slow = 0; number < question_.wanted.size(); ++number) {
    if (slow < plan_.slow.size() && plan_.slow[slow] == number) {
      ++slow;
      continue;
    }
    const std::size_t first = question_.first_column[number];
    for (std::size_t c = 0; c < question_.columns_of(number); ++c) all.push_back(data_of(table.outputs[first + c]));
  }
  all.push_back(bad);
  return all;
}

// The last rows may be fewer than the lanes. Then the last row also fills the lanes that are left.
void JitBatch::run_tail(BatchTable& table, std::uint8_t* bad, std::size_t from, std::size_t to) {
  const std::vector<const void*> whole = arguments(table, bad);
  const std::size_t lanes = plan_.shape.lanes, count = to - from, inputs = table.inputs.size();
  std::vector<Word> words((whole.size() - 1) * lanes);
  std::vector<std::uint8_t> marks(lanes);
  std::vector<const void*> padded;
  for (std::size_t column = 0; column + 1 < whole.size(); ++column) {
    Word* const own = &words[column * lanes];
    padded.push_back(own);
    if (column >= inputs) continue;
    const Word* const theirs = static_cast<const Word*>(whole[column]) + from;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      std::memcpy(own + lane, theirs + std::min(lane, count - 1), sizeof(Word));
  }
  padded.push_back(marks.data());
  function_(&context_, nullptr, padded.data(), 0, static_cast<std::int64_t>(lanes));
  for (std::size_t column = inputs; column + 1 < whole.size(); ++column) {
    std::memcpy(static_cast<Word*>(const_cast<void*>(whole[column])) + from, padded[column], count * sizeof(Word));
  }
  std::memcpy(bad + from, marks.data(), count);
}

void JitBatch::run_lanes(BatchTable& table, std::uint8_t* bad, std::size_t from, std::size_t to) {
  const std::size_t even = from + (to - from) / plan_.shape.lanes * plan_.shape.lanes;
  const std::vector<const void*> all = arguments(table, bad);
  function_(&context_, nullptr, all.data(), static_cast<std::int64_t>(from), static_cast<std::int64_t>(even));
  if (even < to) run_tail(table, bad, even, to);
}

std::optional<ir::Failure> JitBatch::evaluate_in_lanes(BatchTable& table, std::vector<std::uint8_t>& bad,
                                                       const backend::Limits& limits,
                                                       const backend::Progress& progress) {
  const auto work = [&](std::size_t from, std::size_t to, std::size_t) -> std::variant<std::size_t, ir::Failure> {
    for (std::size_t row = from; row < to; row += rows_between_looks) {
      if (row > from && backend::is_over(limits)) return backend::deadline_passed(limits);
      run_lanes(table, bad.data(), row, std::min(to, row + rows_between_looks));
    }
    if (!plan_.slow.empty()) return std::size_t{0};
    return static_cast<std::size_t>(std::count(&bad[from], &bad[from] + (to - from), 0));
  };
  return backend::for_each_chunk({table.rows, rows_in_lane_chunk, threads_}, limits, progress, work);
}

// --- row by row ---

std::optional<ir::Failure> JitBatch::evaluate_rest(BatchTable& table, const std::vector<std::uint8_t>& bad,
                                                   const backend::Limits& limits, const backend::Progress& progress,
                                                   BatchResult& result) {
  std::vector<std::size_t> rest;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (bad[row] || !plan_.slow.empty()) rest.push_back(row);
  }
  if (rest.empty()) return std::nullopt;
  backend::RowByRow rows(rows_, table, limits, threads_);
  std::vector<backend::RowByRow::Worker> workers(static_cast<std::size_t>(threads_), backend::RowByRow::Worker(rows));
  const auto work = [&](std::size_t from, std::size_t to,
                        std::size_t thread) -> std::variant<std::size_t, ir::Failure> {
    for (std::size_t i = from; i < to; ++i) {
      if (auto failure = workers[thread].evaluate(rest[i], bad[rest[i]] ? everything_ : plan_.slow))
        return std::move(*failure);
    }
    return to - from;
  };
  const backend::Chunking chunking{rest.size(), backend::rows_in_chunk, threads_, table.rows - rest.size()};
  if (auto failure = backend::for_each_chunk(chunking, limits, progress, work)) return failure;
  std::vector<std::vector<BatchFailure>> failures;
  for (auto& worker : workers) failures.push_back(std::move(worker.failures));
  result.failures = backend::by_row(std::move(failures));
  return std::nullopt;
}

std::variant<BatchResult, ir::Failure> JitBatch::evaluate(std::span<const backend::InputColumn> columns,
                                                          const backend::Limits& limits,
                                                          const backend::Progress& progress) {
  backend::Limits left = limits;
  auto made = backend::make_table(question_, columns, left);
  if (auto* const failure = std::get_if<ir::Failure>(&made)) return std::move(*failure);
  BatchTable& table = std::get<BatchTable>(made);
  constexpr std::size_t own_bytes = 1 + sizeof(std::size_t);  // of a row: its mark, its place among those to do again
  if (table.rows > left.memory_bytes / own_bytes) return backend::rows_exceed_memory(limits);
  left.memory_bytes -= table.rows * own_bytes;
  BatchResult result;
  try {
    std::vector<std::uint8_t> bad(table.rows, function_ ? 0 : 1);
    if (function_) {
      if (auto failure = evaluate_in_lanes(table, bad, left, progress)) return std::move(*failure);
      result.in_lanes = static_cast<std::size_t>(std::count(bad.begin(), bad.end(), 0));
    }
    if (auto failure = evaluate_rest(table, bad, left, progress, result)) return std::move(*failure);
  } catch (const std::bad_alloc&) {
    return backend::rows_exceed_memory(limits);
  }
  result.columns = std::move(table.outputs);
  return result;
}

}  // namespace

// Deep expressions lead to deep recursion here.
BatchPlan plan_batch(const ir::System& system, const backend::EngineOptions& options,
                     const std::vector<ir::DefinitionId>& parameters, const std::vector<backend::Wanted>& wanted) {
  BatchPlan plan;
  run_on_big_stack([&](std::size_t) {
    ir::System special = lanes::specialized(system, parameters, wanted);
    if (options.shortcuts) special = backend::closed_form::replace_recurrences(special).system;
    plan.system = in_order_of_use(ir::run_passes(special));
    lanes::LaneForecast forecast(plan.system, parameters);
    plan.shape.inputs = parameters;
    for (std::size_t number = 0; number < wanted.size(); ++number) {
      if (const auto why = forecast.obstacle(wanted[number])) {
        plan.slow.push_back(number);
        if (std::find(plan.obstacles.begin(), plan.obstacles.end(), *why) == plan.obstacles.end())
          plan.obstacles.push_back(*why);
      } else {
        plan.shape.outputs.push_back(wanted[number]);
      }
    }
    plan.left_out = forecast.left_out();
  });
  return plan;
}

std::unique_ptr<backend::Batch> make_batch(backend::Engine& rows, SharedCompilation& shared, const ir::System& system,
                                           std::vector<ir::DefinitionId> parameters,
                                           std::vector<backend::Wanted> wanted) {
  return std::make_unique<JitBatch>(rows, shared, system, std::move(parameters), std::move(wanted));
}

}  // namespace wave::jit
