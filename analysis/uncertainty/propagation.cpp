// See propagation.h.
#include "analysis/uncertainty/propagation.h"

#include "analysis/inputs.h"
#include "analysis/uncertainty/draws.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace wave::analysis {

namespace {

// Adds differences to the first value, so that values which are all the same have that mean and no deviation.
double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value - values[0];
  return values[0] + sum / static_cast<double>(values.size());
}

// Divided by n.
double variance_of(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

constexpr std::size_t most_intervals = 200, samples_an_interval = 20;

// The variance of the means of `values` over intervals of `input`, less the variance that means of so few values have
// by chance.
double variance_between(const std::vector<double>& input, const Eigen::VectorXd& values) {
  const std::size_t n = input.size();
  const std::size_t intervals = std::min(most_intervals, n / samples_an_interval);
  if (intervals < 2) return 0;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return input[a] < input[b]; });
  double between = 0, by_chance = 0;
  for (std::size_t k = 0; k < intervals; ++k) {
    const std::size_t begin = n * k / intervals, end = n * (k + 1) / intervals;
    const double count = static_cast<double>(end - begin);
    double sum = 0, squares = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[static_cast<Eigen::Index>(order[i])];
    for (std::size_t i = begin; i < end; ++i)
      squares += std::pow(values[static_cast<Eigen::Index>(order[i])] - sum / count, 2);
    between += sum / count * sum;  // the values have no mean: least squares have taken it
    by_chance += squares / (count - 1);
  }
  return std::max(0.0, (between - by_chance) / static_cast<double>(n));
}

}  // namespace

double quantile(std::span<const double> sorted, double part) {
  const double place = part * static_cast<double>(sorted.size()) - 0.5;
  if (place <= 0) return sorted.front();
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double beyond = place - static_cast<double>(below);
  return beyond == 0 ? sorted[below] : sorted[below] + (sorted[below + 1] - sorted[below]) * beyond;
}

Summary summarize(std::span<const double> values) {
  Summary summary;
  const double n = static_cast<double>(values.size());
  summary.mean = mean_of(values);
  summary.deviation = std::sqrt(variance_of(values, summary.mean) * n / (n - 1));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  summary.low = quantile(sorted, 0.025);
  summary.high = quantile(sorted, 0.975);
  return summary;
}

std::vector<double> first_order_parts(const std::vector<std::vector<double>>& inputs, std::span<const double> values) {
  if (inputs.empty() || values.size() < enough_samples(inputs.size())) return {};
  const double mean = mean_of(values);
  const double variance = variance_of(values, mean);
  // The variance that rounding gives a constant does not count.
  if (!(std::sqrt(variance) > 1e-13 * std::fabs(mean))) return {};
  const auto n = static_cast<Eigen::Index>(values.size()), k = static_cast<Eigen::Index>(inputs.size());
  Eigen::MatrixXd matrix(n, k + 1);
  Eigen::VectorXd right(n);
  matrix.col(k).setOnes();
  for (Eigen::Index i = 0; i < k; ++i) {
    matrix.col(i) = Eigen::Map<const Eigen::VectorXd>(inputs[static_cast<std::size_t>(i)].data(), n);
  }
  // Scaled to size 1, whatever the unit.
  const double scale = std::sqrt(variance);
  for (Eigen::Index i = 0; i < n; ++i) right[i] = (values[static_cast<std::size_t>(i)] - mean) / scale;
  const Eigen::VectorXd slopes = matrix.colPivHouseholderQr().solve(right);
  const Eigen::VectorXd left = right - matrix * slopes;
  const bool is_straight = left.squaredNorm() < 1e-20 * right.squaredNorm();
  std::vector<double> parts;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double slope = slopes[static_cast<Eigen::Index>(i)];
    const double line = slope * slope * variance_of(inputs[i], mean_of(inputs[i]));
    parts.push_back(std::min(1.0, line + (is_straight ? 0 : variance_between(inputs[i], left))));
  }
  return parts;
}

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

// Names the input after the parameters whose own text holds the draw, not after those that are computed from them.
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

double number(const ColumnValues& column, std::size_t row) {
  return std::visit([&](const auto& values) { return static_cast<double>(values[row]); }, column);
}

class Sampling {
 public:
  Sampling(const Sampled& sampled, const EvaluateDraws& evaluate)
      : inputs_(sampled.inputs),
        sampled_(sampled),
        evaluate_(evaluate),
        samples_(sampled.samples),
        seed_(sampled.seed) {
    for (const auto& input : inputs_) draws_.push_back(draw_normals(seed_, input.stream, samples_));
  }

  std::optional<ir::Failure> run(const std::function<void(std::size_t rows)>& progress) {
    // The last row has all draws at 0: the values at the means.
    auto all = draws_;
    for (auto& column : all) column.push_back(0);
    auto outcome = evaluate_(all, progress);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    values_ = std::get<BatchValues>(std::move(outcome));
    for (const auto& one : values_.failed) {
      for (const std::uint64_t row : one.rows) failed_[row] = kinds_.size();
      kinds_.push_back({one});
    }
    return draw_those_outside_again();
  }

  void settle(Propagation& result) {
    take_means(result.at_means);
    result.samples = samples_;
    result.used = samples_ - failed_.size() + failed_.count(samples_);
    result.drawn_again = drawn_again_;
    for (const auto& [row, kind] : failed_) {
      if (row < samples_ && kinds_[kind].count++ == 0) kinds_[kind].first = row;
    }
    for (auto& kind : kinds_) {
      if (kind.count > 0) result.failed.push_back(std::move(kind));
    }
    if (result.used < 2) return;
    for (auto& column : draws_) column = without_failed(column);
    std::size_t at = 0;
    for (const OutputInfo* output : sampled_.outputs) {
      for (std::size_t i = 0; i < output->columns.size(); ++i, ++at) {
        if (has_spread(output->columns[i])) result.spreads.push_back(spread(*output, i, values_.columns[at].values));
      }
    }
  }

 private:
  // The last row.
  void take_means(BatchValues& means) const {
    for (const Cells& column : values_.columns) {
      Cells& one = means.columns.emplace_back();
      one.labels = column.labels;
      std::visit([&](const auto& from) { one.values = std::decay_t<decltype(from)>{from[samples_]}; }, column.values);
      if (std::ranges::find(column.missing, samples_) != column.missing.end()) one.missing.push_back(0);
    }
    if (const auto failed = failed_.find(samples_); failed != failed_.end())
      means.failed.push_back({kinds_[failed->second], {0}});
  }

  // Draws a whole row again, so that the rows within the ranges stay as likely, relative to each other, as they were.
  std::optional<ir::Failure> draw_those_outside_again() {
    for (std::uint32_t attempt = 1; attempt <= most_attempts; ++attempt) {
      std::vector<std::size_t> rows;
      for (const auto& [row, kind] : failed_) {
        if (row < samples_ && kinds_[kind].kind() == DiagnosticKind::outside_range) rows.push_back(row);
      }
      if (rows.empty()) return std::nullopt;
      std::vector<std::vector<double>> columns(inputs_.size());
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        for (const std::size_t row : rows) columns[i].push_back(draw_again(seed_, inputs_[i].stream, row, attempt));
      }
      auto outcome = evaluate_(columns, {});
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
            const auto& from = std::get<std::decay_t<decltype(into)>>(values.columns[c].values);
            for (std::size_t k = 0; k < rows.size(); ++k) into[rows[k]] = from[k];
          },
          values_.columns[c].values);
    }
    for (const std::size_t row : rows) failed_.erase(row);
    for (const auto& one : values.failed) {
      const auto same = [&](const CountedFailure& known) { return known.same_way(one); };
      const auto kind = static_cast<std::size_t>(std::find_if(kinds_.begin(), kinds_.end(), same) - kinds_.begin());
      if (kind == kinds_.size()) kinds_.push_back({one});
      for (const std::uint64_t row : one.rows) failed_[rows[row]] = kind;
    }
  }

  std::vector<double> without_failed(const std::vector<double>& column) const {
    std::vector<double> left;
    for (std::size_t row = 0; row < samples_; ++row) {
      if (failed_.count(row) == 0) left.push_back(column[row]);
    }
    return left;
  }

  Spread spread(const OutputInfo& output, std::size_t column, const ColumnValues& values) const {
    Spread one;
    one.output = &output;
    one.column = column;
    one.at_means = number(values, samples_);
    std::vector<double> used;
    for (std::size_t row = 0; row < samples_; ++row) {
      if (failed_.count(row) == 0) used.push_back(number(values, row));
    }
    one.summary = summarize(used);
    if (sampled_.has_parts) one.parts = first_order_parts(draws_, used);
    return one;
  }

  const std::vector<UncertainInput>& inputs_;
  const Sampled& sampled_;
  const EvaluateDraws& evaluate_;
  const std::size_t samples_;
  const std::uint64_t seed_;
  std::vector<std::vector<double>> draws_;
  BatchValues values_;
  std::vector<CountedFailure> kinds_;
  std::map<std::size_t, std::size_t> failed_;  // the samples that failed, and in which of these ways
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
  // Draws belong to what is written, whatever else is written with `±` elsewhere.
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
  const auto evaluate = [&](const std::vector<std::vector<double>>& columns,
                            const std::function<void(std::size_t rows)>& told) {
    std::vector<InputColumn> spans;
    for (const auto& column : columns) spans.emplace_back(std::span<const double>(column));
    return batch.evaluate(spans, limits, told);
  };
  return propagate({inputs, batch.outputs(), samples, seed}, evaluate, progress);
}

std::variant<Propagation, ir::Failure> propagate(const Sampled& sampled, const EvaluateDraws& evaluate,
                                                 const std::function<void(std::size_t rows)>& progress) {
  Sampling sampling(sampled, evaluate);
  if (auto failure = sampling.run(progress)) return std::move(*failure);
  Propagation result;
  sampling.settle(result);
  return result;
}

bool has_spread(const frontend::ColumnInfo& column) {
  return !std::holds_alternative<frontend::types::String>(column.type->kind) &&
         !std::holds_alternative<frontend::types::Choice>(column.type->kind);
}

}  // namespace wave::analysis
