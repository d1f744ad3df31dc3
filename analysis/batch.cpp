// See batch.h.
#include "analysis/batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace wave::analysis {

using backend::InputColumn;
using frontend::DiagnosticKind;
using frontend::OutputInfo;
using frontend::RowsShape;

bool gives_columns(const ir::System& system, const OutputInfo& output) {
  if (!output.root.valid() || output.is_breakdown) return false;
  if (output.shape != RowsShape::single && output.shape != RowsShape::record) return false;
  const auto& blocks = system[output.root].blocks;
  return blocks.size() == 1 && blocks.front().levels.empty();
}

namespace {

// Failures of one kind at one place have one diagnostic.
using FailureKey = std::pair<ir::FailureKind, std::uint32_t>;
FailureKey key_of(const ir::Failure& failure) {
  return {failure.kind, failure.site.valid() ? failure.site.index : ~std::uint32_t{0}};
}

// Collects what failed, row by row or not.
class Failures {
 public:
  explicit Failures(std::size_t rows) : is_failed_(rows) {}

  // Of several failures in a row the first that is added counts.
  void add(std::size_t row, FailedKind what) {
    if (is_failed_[row]) return;
    is_failed_[row] = true;
    const auto [known, is_new] = numbers_.try_emplace(what, kinds_.size());
    const std::size_t number = known->second;
    rows_.push_back({row, number});
    if (is_new) kinds_.emplace_back();
    FailedKind& kind = kinds_[number];
    const std::size_t count = kind.count + 1;
    if (is_new || row < kind.first_row) {
      kind = std::move(what);
      kind.first_row = row;
    }
    kind.count = count;
  }
  void move_into(BatchValues& values) {
    std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    std::vector<std::size_t> order(kinds_.size()), place(kinds_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return kinds_[a].first_row < kinds_[b].first_row; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      values.kinds.push_back(std::move(kinds_[order[i]]));
    }
    for (FailedRow& row : rows_) row.kind = place[row.kind];
    values.failed = std::move(rows_);
  }

 private:
  std::vector<bool> is_failed_;
  std::vector<FailedRow> rows_;
  std::map<FailureWords, std::size_t> numbers_;
  std::vector<FailedKind> kinds_;
};

}  // namespace

FailureWords words_of(DiagnosticKind kind, const ir::System& system, const ir::Failure& failure) {
  const bool is_authors =
      failure.kind == ir::FailureKind::error_called || failure.kind == ir::FailureKind::require_failed;
  const bool has_words = is_authors && failure.site.valid() && !system[failure.site].text.empty();
  std::string words(has_words ? std::string_view(system[failure.site].text) : title_of(kind));
  std::replace(words.begin(), words.end(), '\n', ' ');  // of a row of a file, which is one line
  return {kind, std::move(words)};
}

ModelBatch::ModelBatch(const frontend::Lowered& lowered, backend::Engine& engine,
                       const std::vector<ir::DefinitionId>& parameters, std::vector<const OutputInfo*> outputs,
                       int threads)
    : lowered_(lowered), outputs_(std::move(outputs)) {
  std::vector<backend::Wanted> wanted;
  for (const OutputInfo* output : outputs_) wanted.emplace_back(output->root);
  batch_ = engine.batch(parameters, wanted);
  if (!batch_) batch_ = backend::make_plain_batch(engine, lowered.system, parameters, wanted, threads);
}

FailureWords ModelBatch::words_of(const ir::Failure& failure) const {
  frontend::Diagnostics diagnostics;
  report(lowered_.system, lowered_.words, lowered_.notes, failure, diagnostics);
  return analysis::words_of(diagnostics.all().front().kind, lowered_.system, failure);
}

std::variant<BatchValues, ir::Failure> ModelBatch::evaluate(std::span<const InputColumn> columns,
                                                            const backend::Limits& limits,
                                                            const std::function<void(std::size_t rows)>& progress) {
  auto outcome = batch_->evaluate(columns, limits, progress);
  if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
  auto& result = std::get<backend::BatchResult>(outcome);
  const std::size_t rows =
      columns.empty() ? 0 : std::visit([](const auto& column) { return column.size(); }, columns.front());
  std::vector<const OutputInfo*> output_of;  // each column
  for (const OutputInfo* output : outputs_) output_of.insert(output_of.end(), output->columns.size(), output);
  BatchValues values;
  values.missing.resize(output_of.size());
  Failures failures(rows);
  std::map<FailureKey, FailureWords> known;
  for (auto& one : result.failures) {
    for (const std::size_t first : one.columns) {
      for (std::size_t i = first; i < output_of.size() && output_of[i] == output_of[first]; ++i)
        values.missing[i].push_back(one.row);
    }
    const auto [found, is_new] = known.try_emplace(key_of(one.failure));
    if (is_new) found->second = words_of(one.failure);
    failures.add(one.row, {found->second, 0, 0, nullptr, std::move(one.failure)});
  }
  for (std::size_t i = 0; i < output_of.size(); ++i) {
    auto* const reals = std::get_if<std::vector<double>>(&result.columns[i]);
    if (reals == nullptr) continue;
    values.missing[i].clear();  // those that failed are among the following
    for (std::size_t row = 0; row < rows; ++row) {
      double& value = (*reals)[row];
      if (std::isfinite(value)) continue;
      constexpr auto kind = DiagnosticKind::output_not_finite;
      failures.add(row, {{kind, std::string(title_of(kind))}, 0, 0, output_of[i], {}});
      value = std::numeric_limits<double>::quiet_NaN();
      values.missing[i].push_back(row);
    }
  }
  values.columns = std::move(result.columns);
  values.in_lanes = result.in_lanes;
  failures.move_into(values);
  return values;
}

}  // namespace wave::analysis
