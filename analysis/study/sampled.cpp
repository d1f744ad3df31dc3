// See sampled.h.
#include "analysis/study/sampled.h"

#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace wave::analysis {
namespace {

// The value of a column at a row, so many times.
ColumnValues repeated(const backend::InputColumn& column, std::size_t row, std::size_t times) {
  return std::visit(
      [&](const auto& values) -> ColumnValues {
        return std::vector<std::remove_cv_t<typename std::decay_t<decltype(values)>::element_type>>(times, values[row]);
      },
      column);
}

void append(Cells& to, const Cells& one, std::size_t row) {
  if (!one.missing.empty()) to.missing.push_back(row);
  std::visit(
      [&](const auto& from) {
        using Values = std::decay_t<decltype(from)>;
        if (row == 0) to.values = Values{};
        std::get<Values>(to.values).push_back(from.front());
      },
      one.values);
}

void append(Cells& to, double value, std::size_t row) {
  if (!std::isfinite(value)) to.missing.push_back(row);
  if (row == 0) to.values = std::vector<double>{};
  std::get<std::vector<double>>(to.values).push_back(value);
}

Cells filled(double value, std::size_t rows) { return {std::vector<double>(rows, value), {}, {}}; }

}  // namespace

std::variant<BatchValues, ir::Failure> PointSampler::evaluate(const std::vector<backend::InputColumn>& columns,
                                                              std::size_t rows, const backend::Limits& limits,
                                                              const std::function<void(std::size_t rows)>& progress) {
  if (inputs_.empty()) {
    auto outcome = batch_.evaluate(columns, limits, progress);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    return without_spread(std::get<BatchValues>(std::move(outcome)), rows);
  }
  BatchValues all;
  FailureList failures(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    auto outcome = at_row(columns, row, limits);
    if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    add(std::get<Propagation>(outcome), row, all, failures);
    if (progress) progress(row + 1);
  }
  all.failed = failures.take();
  return all;
}

std::variant<Propagation, ir::Failure> PointSampler::at_row(const std::vector<backend::InputColumn>& columns,
                                                            std::size_t row, const backend::Limits& limits) {
  const auto evaluate = [&](const std::vector<std::vector<double>>& draws,
                            const std::function<void(std::size_t rows)>&) {
    std::vector<ColumnValues> same;
    same.reserve(columns.size());
    for (const auto& column : columns) same.push_back(repeated(column, row, draws.front().size()));
    std::vector<backend::InputColumn> spans;
    for (const auto& column : same)
      spans.push_back(std::visit([](const auto& cells) { return backend::InputColumn(std::span(cells)); }, column));
    for (const auto& column : draws) spans.emplace_back(std::span<const double>(column));
    return batch_.evaluate(spans, limits);
  };
  return propagate({inputs_, batch_.outputs(), sampling_.samples, sampling_.seed, false}, evaluate);
}

void PointSampler::add(const Propagation& found, std::size_t row, BatchValues& all, FailureList& failures) const {
  std::size_t at = 0, of_means = 0, of_spreads = 0;
  const auto next = [&]() -> Cells& {
    if (row == 0) all.columns.emplace_back();
    return all.columns[at++];
  };
  for (const frontend::OutputInfo* const output : batch_.outputs()) {
    for (const frontend::ColumnInfo& column : output->columns) {
      append(next(), found.at_means.columns[of_means++], row);
      if (!has_spread(column)) continue;
      Summary summary;
      summary.mean = summary.deviation = summary.low = summary.high = std::nan("");
      if (!found.spreads.empty()) summary = found.spreads[of_spreads++].summary;
      for (const double value : {summary.mean, summary.deviation, summary.low, summary.high})
        append(next(), value, row);
    }
  }
  append(next(), {std::vector<std::int64_t>{static_cast<std::int64_t>(found.used)}, {}, {}}, row);
  for (const FailedRows& failed : found.at_means.failed) failures.add(row, failed);
  if (found.spreads.empty() && !found.failed.empty()) failures.add(row, found.failed.front());
}

BatchValues PointSampler::without_spread(BatchValues values, std::size_t rows) const {
  std::vector<Cells> columns;
  std::size_t at = 0;
  for (const frontend::OutputInfo* const output : batch_.outputs()) {
    for (const frontend::ColumnInfo& info : output->columns) {
      Cells column = std::move(values.columns[at++]);
      Cells same{
          std::visit([](const auto& from) { return std::vector<double>(from.begin(), from.end()); }, column.values),
          column.missing,
          {}};
      columns.push_back(std::move(column));
      if (!has_spread(info)) continue;
      columns.push_back(same);
      columns.push_back(filled(0, rows));
      columns.push_back(same);
      columns.push_back(std::move(same));
    }
  }
  columns.push_back({std::vector<std::int64_t>(rows, static_cast<std::int64_t>(sampling_.samples)), {}, {}});
  values.columns = std::move(columns);
  return values;
}

}  // namespace wave::analysis
