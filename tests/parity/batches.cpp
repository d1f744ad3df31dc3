// Evaluates each row of a table by itself and compares it with the batch.
#include "tests/parity/batches.h"

#include "tests/parity/compare.h"
#include "tests/random/choices.h"
#include "tests/random/random_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace wave::parity {

std::size_t Table::rows() const {
  return columns.empty() ? 0 : std::visit([](const auto& values) { return values.size(); }, columns.front());
}

std::vector<backend::InputColumn> Table::inputs() const {
  std::vector<backend::InputColumn> result;
  for (const Column& column : columns) {
    std::visit([&](const auto& values) { result.emplace_back(std::span(values)); }, column);
  }
  return result;
}

std::vector<backend::Binding> Table::bindings(const ir::System& system, std::size_t row) const {
  std::vector<backend::Binding> result;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (const auto* const reals = std::get_if<std::vector<double>>(&columns[p])) {
      result.emplace_back(parameters[p], ir::Scalar::of((*reals)[row]));
    } else {
      const std::int64_t value = std::get<std::vector<std::int64_t>>(columns[p])[row];
      const bool is_boolean = system[parameters[p]].type == ir::ScalarType::boolean;
      result.emplace_back(parameters[p], is_boolean ? ir::Scalar::of(value != 0) : ir::Scalar::of(value));
    }
  }
  return result;
}

namespace {

// A row of the batch, in the form of a single evaluation.
ir::Scalar cell(const backend::BatchResult& result, std::size_t column, std::size_t row, ir::ScalarType type) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&result.columns[column]))
    return ir::Scalar::of((*reals)[row]);
  const std::int64_t value = std::get<std::vector<std::int64_t>>(result.columns[column])[row];
  return type == ir::ScalarType::boolean ? ir::Scalar::of(value != 0) : ir::Scalar::of(value);
}

bool is_empty(const backend::BatchResult& result, std::size_t column, std::size_t row) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&result.columns[column])) {
    return std::bit_cast<std::uint64_t>((*reals)[row]) == std::bit_cast<std::uint64_t>(std::nan(""));
  }
  return std::get<std::vector<std::int64_t>>(result.columns[column])[row] == 0;
}

std::vector<ir::ScalarType> types_of(const ir::System& system, const backend::Wanted& wanted) {
  if (const auto* const definition = std::get_if<ir::DefinitionId>(&wanted)) return {system[*definition].type};
  std::vector<ir::ScalarType> types;
  for (const ir::ValueId column : system[std::get<ir::RootId>(wanted)].blocks.front().columns)
    types.push_back(system[column].type);
  return types;
}

// Compares one row of the batch, and its failure if it has one.
std::string difference_of_row(const ir::System& system, backend::Evaluation& alone, const backend::BatchResult& result,
                              const backend::BatchFailure* failure, std::size_t row,
                              const std::vector<backend::Wanted>& wanted) {
  std::size_t column = 0;
  bool has_failed = false;
  std::size_t failed = 0;
  for (const backend::Wanted& one : wanted) {
    const std::vector<ir::ScalarType> types = types_of(system, one);
    const backend::Outcome outcome = std::visit([&](auto id) { return alone.evaluate(id); }, one);
    backend::Outcome of_batch;
    if (std::holds_alternative<ir::Failure>(outcome)) {
      if (!failure) return fmt::format("column {}: has no failure", column);
      for (std::size_t c = 0; c < types.size(); ++c) {
        if (!is_empty(result, column + c, row))
          return fmt::format("column {}: has a value although it failed", column + c);
      }
      if (!has_failed && failure->columns.front() != column)
        return fmt::format("column {} failed first, not {}", column, failure->columns.front());
      if (failed++ >= failure->columns.size() || failure->columns[failed - 1] != column)
        return fmt::format("column {}: is not among those that failed", column);
      of_batch = has_failed ? outcome : backend::Outcome(failure->failure);
      has_failed = true;
    } else {
      backend::Rows rows{types.size(), {}};
      for (std::size_t c = 0; c < types.size(); ++c) rows.cells.push_back(cell(result, column + c, row, types[c]));
      of_batch = rows;
    }
    if (const std::string text = difference(system, outcome, of_batch); !text.empty())
      return fmt::format("column {}: {}", column, text);
    column += types.size();
  }
  return failure && failed != failure->columns.size() ? "has a failure that the interpreter has not" : "";
}

}  // namespace

BatchComparison compare(const ir::System& system, backend::Engine& interpreter, backend::Batch& batch,
                        const Table& table, const std::vector<backend::Wanted>& wanted, const backend::Limits& limits) {
  BatchComparison comparison;
  comparison.rows = table.rows();
  comparison.schedule = batch.schedule();
  const std::vector<backend::InputColumn> inputs = table.inputs();
  auto evaluated = batch.evaluate(inputs, limits);
  if (const auto* const failure = std::get_if<ir::Failure>(&evaluated)) {
    comparison.limited = failure->kind == ir::FailureKind::time_limit;
    if (!comparison.limited) comparison.difference = "the batch fails as a whole";
    return comparison;
  }
  const auto& result = std::get<backend::BatchResult>(evaluated);
  comparison.in_lanes = result.in_lanes;
  comparison.failed = result.failures.size();
  auto failure = result.failures.begin();
  for (std::size_t row = 0; row < comparison.rows; ++row) {
    const bool fails = failure != result.failures.end() && failure->row == row;
    const auto alone = interpreter.start(table.bindings(system, row), limits);
    const std::string text = difference_of_row(system, *alone, result, fails ? &*failure : nullptr, row, wanted);
    if (fails) ++failure;
    if (text.empty()) continue;
    comparison.difference = fmt::format("row {}, {}", row, text);
    return comparison;
  }
  if (failure != result.failures.end())
    comparison.difference = fmt::format("a failure out of order, of row {}", failure->row);
  return comparison;
}

BatchComparison compare_batch(const ir::System& system, const Table& table, const std::vector<backend::Wanted>& wanted,
                              const backend::EngineOptions& options) {
  const auto interpreter = engine(backend::EngineKind::interpreter, system);
  const auto jit =
      std::get<std::unique_ptr<backend::Engine>>(backend::make_engine(backend::EngineKind::jit, system, options));
  const auto batch = jit->batch(table.parameters, wanted);
  return compare(system, *interpreter, *batch, table, wanted);
}

// --- random ---

namespace {

Table random_table(const ir::System& system, test::Choices& choose, std::size_t rows) {
  Table table;
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    if (!system.definitions[i].bindable || choose.chance(0.2)) continue;
    if (system.definitions[i].type == ir::ScalarType::real) {
      std::vector<double> values(rows);
      for (double& x : values) x = choose.chance(0.15) ? choose.wild_real() : choose.tame_real();
      table.add(ir::DefinitionId{i}, std::move(values));
    } else {
      std::vector<std::int64_t> values(rows);
      for (std::int64_t& x : values) x = choose.chance(0.05) ? choose.between(-2, 0) : choose.between(1, 7);
      table.add(ir::DefinitionId{i}, std::move(values));
    }
  }
  return table;
}

std::vector<backend::Wanted> random_wanted(const ir::System& system, test::Choices& choose) {
  std::vector<backend::Wanted> possible, wanted;
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    if (system.definitions[i].frame == ir::System::root_frame) possible.emplace_back(ir::DefinitionId{i});
  }
  for (std::uint32_t i = 0; i < system.roots.size(); ++i) {
    if (system.roots[i].blocks.size() == 1 && system.roots[i].blocks.front().levels.empty())
      possible.emplace_back(ir::RootId{i});
  }
  for (std::size_t count = 1 + choose.below(3); count > 0; --count) wanted.push_back(choose.one_of(possible));
  return wanted;
}

}  // namespace

BatchCampaign compare_random_batches(std::uint64_t first, std::uint64_t count, bool events, int threads) {
  BatchCampaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    test::Options shape;
    shape.events = events;
    const ir::System system = test::random_system(seed, shape);
    test::Choices choose(seed ^ 0x6261746368);
    const Table table = random_table(system, choose, 1 + choose.below(37));
    if (table.columns.empty()) continue;
    const auto wanted = random_wanted(system, choose);
    const auto interpreter = engine(backend::EngineKind::interpreter, system);
    backend::EngineOptions options;
    options.threads = threads;
    const auto jit =
        std::get<std::unique_ptr<backend::Engine>>(backend::make_engine(backend::EngineKind::jit, system, options));
    const auto batch = jit->batch(table.parameters, wanted);
    backend::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    const BatchComparison comparison = compare(system, *interpreter, *batch, table, wanted, limits);
    ++campaign.batches;
    campaign.rows += comparison.limited ? 0 : comparison.rows;
    campaign.failed += comparison.failed;
    campaign.in_lanes += comparison.in_lanes;
    campaign.limited += comparison.limited;
    if (!comparison.difference.empty())
      campaign.difference = fmt::format("seed {}, {}: {}", seed, comparison.schedule, comparison.difference);
  }
  return campaign;
}

}  // namespace wave::parity
