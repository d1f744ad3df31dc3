// See propagation.h.
#include "analysis/uncertainty/propagation.h"

#include "analysis/reach.h"
#include "analysis/uncertainty/hypercube.h"

#include <algorithm>
#include <map>

namespace wave::analysis {

using backend::InputColumn;
using frontend::DiagnosticKind;
using frontend::OutputInfo;

namespace {

std::optional<double> value_of(backend::Engine& engine, const std::vector<backend::Binding>& bindings,
                               ir::DefinitionId definition, const backend::Limits& limits) {
  const auto outcome = engine.start(bindings, limits)->evaluate(definition);
  const auto* rows = std::get_if<backend::Rows>(&outcome);
  if (!rows || rows->cells.empty() || rows->cells.front().type != ir::ScalarType::real) return std::nullopt;
  return rows->cells.front().real;
}

// Names of parameters whose own text holds the draw, and not that of a parameter which they are made of.
void name_after_parameters(UncertainInput& input, const frontend::Lowered& lowered, backend::Engine& engine,
                           const backend::Limits& limits) {
  const ir::DefinitionId draw = input.written->draw;
  const auto ends_at = [&](ir::DefinitionId id) { return lowered.system[id].bindable; };
  std::string names;
  const frontend::ParameterInfo* first = nullptr;
  for (const auto& one : lowered.parameters) {
    if (!one.definition.valid()) continue;
    const Reached inside = reach(lowered.system, lowered.system[one.definition].body, ends_at);
    if (inside.definitions.count(draw) == 0) continue;
    names += (names.empty() ? "" : ", ") + one.path;
    if (first == nullptr) first = &one;
  }
  input.name = names.empty() ? input.written->text : names;
  if (first == nullptr) return;
  input.type = first->type;
  input.mean = value_of(engine, {}, first->definition, limits);
  const auto above = value_of(engine, {{draw, ir::Scalar::of(1.0)}}, first->definition, limits);
  const auto below = value_of(engine, {{draw, ir::Scalar::of(-1.0)}}, first->definition, limits);
  if (input.mean && above)
    input.deviation = *above - *input.mean;
  else if (input.mean && below)
    input.deviation = *input.mean - *below;
}

bool has_spread(const frontend::ColumnInfo& column) {
  return !std::holds_alternative<frontend::types::String>(column.type->kind) &&
         !std::holds_alternative<frontend::types::Choice>(column.type->kind);
}

double number(const backend::OutputColumn& column, std::size_t row) {
  return std::visit([&](const auto& values) { return static_cast<double>(values[row]); }, column);
}

class Sampling {
 public:
  Sampling(const std::vector<UncertainInput>& inputs, ModelBatch& batch, std::size_t samples, std::uint64_t seed,
           const backend::Limits& limits)
      : inputs_(inputs), batch_(batch), samples_(samples), seed_(seed), limits_(limits) {
    for (const auto& input : inputs) draws_.push_back(draw_normals(seed, input.stream, samples));
  }

  std::optional<ir::Failure> run(const std::function<void(std::size_t rows)>& progress) {
    // The last row has all draws at 0: the values at the means.
    auto all = draws_;
    for (auto& column : all) column.push_back(0);
    auto outcome = evaluate(all, progress);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    values_ = std::get<BatchValues>(std::move(outcome));
    for (const auto& row : values_.failed) failed_[row.row] = values_.kinds[row.kind];
    kinds_ = std::move(values_.kinds);
    return draw_those_outside_again();
  }

  void settle(Propagation& result) {
    result.samples = samples_;
    result.used = samples_ - failed_.size() + failed_.count(samples_);
    result.drawn_again = drawn_again_;
    for (auto& kind : kinds_) {
      kind.count = 0;
      for (const auto& [row, failed] : failed_) kind.count += row < samples_ && failed == kind ? 1 : 0;
      if (kind.count > 0) result.failed.push_back(std::move(kind));
    }
    if (result.used < 2) return;
    for (auto& column : draws_) column = without_failed(column);
    std::size_t at = 0;
    for (const OutputInfo* output : batch_.outputs()) {
      for (std::size_t i = 0; i < output->columns.size(); ++i, ++at) {
        if (has_spread(output->columns[i])) result.spreads.push_back(spread(*output, i, values_.columns[at]));
      }
    }
  }

 private:
  std::variant<BatchValues, ir::Failure> evaluate(const std::vector<std::vector<double>>& columns,
                                                  const std::function<void(std::size_t rows)>& progress) {
    std::vector<InputColumn> spans;
    for (const auto& column : columns) spans.emplace_back(std::span<const double>(column));
    return batch_.evaluate(spans, limits_, progress);
  }

  // All draws of a row anew: those within the ranges are then as likely as they are without the others.
  std::optional<ir::Failure> draw_those_outside_again() {
    for (std::uint32_t attempt = 1; attempt <= most_attempts; ++attempt) {
      std::vector<std::size_t> rows;
      for (const auto& [row, kind] : failed_) {
        if (row < samples_ && kind.kind == DiagnosticKind::outside_range) rows.push_back(row);
      }
      if (rows.empty()) return std::nullopt;
      std::vector<std::vector<double>> columns(inputs_.size());
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        for (const std::size_t row : rows) columns[i].push_back(draw_again(seed_, inputs_[i].stream, row, attempt));
      }
      auto outcome = evaluate(columns, {});
      if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
      drawn_again_ += rows.size();
      take(std::get<BatchValues>(outcome), rows, columns);
    }
    return std::nullopt;
  }

  void take(BatchValues& values, const std::vector<std::size_t>& rows,
            const std::vector<std::vector<double>>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t k = 0; k < rows.size(); ++k) draws_[i][rows[k]] = columns[i][k];
    }
    for (std::size_t c = 0; c < values.columns.size(); ++c) {
      std::visit(
          [&](auto& into) {
            const auto& from = std::get<std::decay_t<decltype(into)>>(values.columns[c]);
            for (std::size_t k = 0; k < rows.size(); ++k) into[rows[k]] = from[k];
          },
          values_.columns[c]);
    }
    for (const std::size_t row : rows) failed_.erase(row);
    for (const auto& one : values.failed) failed_[rows[one.row]] = values.kinds[one.kind];
    for (auto& kind : values.kinds) {
      const auto same = [&](const FailureWords& known) { return known == kind; };
      if (std::none_of(kinds_.begin(), kinds_.end(), same)) kinds_.push_back(std::move(kind));
    }
  }

  std::vector<double> without_failed(const std::vector<double>& column) const {
    std::vector<double> left;
    for (std::size_t row = 0; row < samples_; ++row) {
      if (failed_.count(row) == 0) left.push_back(column[row]);
    }
    return left;
  }

  Spread spread(const OutputInfo& output, std::size_t column, const backend::OutputColumn& values) const {
    Spread one;
    one.output = &output;
    one.column = column;
    one.at_means = number(values, samples_);
    std::vector<double> used;
    for (std::size_t row = 0; row < samples_; ++row) {
      if (failed_.count(row) == 0) used.push_back(number(values, row));
    }
    one.summary = summarize(used);
    one.parts = first_order_parts(draws_, used);
    return one;
  }

  const std::vector<UncertainInput>& inputs_;
  ModelBatch& batch_;
  const std::size_t samples_;
  const std::uint64_t seed_;
  const backend::Limits& limits_;
  std::vector<std::vector<double>> draws_;
  BatchValues values_;
  std::map<std::size_t, FailureWords> failed_;
  std::vector<FailedKind> kinds_;
  std::size_t drawn_again_ = 0;
};

}  // namespace

std::vector<UncertainInput> uncertain_inputs(const frontend::Lowered& lowered, backend::Engine& engine,
                                             const backend::Limits& limits) {
  std::vector<UncertainInput> inputs;
  for (const auto& written : lowered.uncertain) {
    if (!written.draw.valid()) continue;
    UncertainInput input;
    input.written = &written;
    name_after_parameters(input, lowered, engine, limits);
    inputs.push_back(std::move(input));
  }
  std::stable_sort(inputs.begin(), inputs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  // Draws belong to what is written, wherever else something is written with `±`.
  std::map<std::string, int> again;
  for (auto& input : inputs) {
    input.stream = input.name + " = " + input.written->text;
    if (const int before = again[input.stream]++; before > 0) input.stream += " " + std::to_string(before);
  }
  return inputs;
}

std::variant<Propagation, ir::Failure> propagate(const frontend::Lowered& lowered, backend::Engine& engine,
                                                 const std::vector<UncertainInput>& inputs,
                                                 std::vector<const OutputInfo*> outputs, std::size_t samples,
                                                 std::uint64_t seed, int threads, const backend::Limits& limits,
                                                 const std::function<void(std::size_t rows)>& progress) {
  std::vector<ir::DefinitionId> draws;
  for (const auto& input : inputs) draws.push_back(input.written->draw);
  ModelBatch batch(lowered, engine, draws, std::move(outputs), threads);
  Sampling sampling(inputs, batch, samples, seed, limits);
  if (auto failure = sampling.run(progress)) return std::move(*failure);
  Propagation result;
  sampling.settle(result);
  return result;
}

}  // namespace wave::analysis
