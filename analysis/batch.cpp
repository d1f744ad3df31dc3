// See batch.h.
#include "analysis/batch.h"

#include <algorithm>
#include <cmath>
#include <map>
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

  bool is_failed(std::size_t row) const { return is_failed_[row]; }
  void add(std::size_t row, FailedKind what) {
    if (is_failed_[row]) return;
    is_failed_[row] = true;
    rows_.push_back({row, what.kind});
    auto& kind = kinds_[what.kind];
    what.count = kind.count + 1;
    what.first_row = row;
    if (kind.count == 0 || row < kind.first_row)
      kind = std::move(what);
    else
      ++kind.count;
  }
  void move_into(BatchValues& values) {
    const auto by_row = [](const auto& a, const auto& b) { return a.row < b.row; };
    std::sort(rows_.begin(), rows_.end(), by_row);
    values.failed = std::move(rows_);
    for (auto& [kind, all] : kinds_) values.kinds.push_back(std::move(all));
    std::sort(values.kinds.begin(), values.kinds.end(),
              [](const auto& a, const auto& b) { return a.first_row < b.first_row; });
  }

 private:
  std::vector<bool> is_failed_;
  std::vector<FailedRow> rows_;
  std::map<DiagnosticKind, FailedKind> kinds_;
};

}  // namespace

ModelBatch::ModelBatch(const frontend::Lowered& lowered, backend::Engine& engine,
                       const std::vector<ir::DefinitionId>& parameters, std::vector<const OutputInfo*> outputs,
                       int threads)
    : lowered_(lowered), outputs_(std::move(outputs)) {
  std::vector<backend::Wanted> wanted;
  for (const OutputInfo* output : outputs_) wanted.emplace_back(output->root);
  batch_ = engine.batch(parameters, wanted);
  if (!batch_) batch_ = backend::make_plain_batch(engine, lowered.system, parameters, wanted, threads);
}

DiagnosticKind ModelBatch::kind_of(const ir::Failure& failure) const {
  frontend::Diagnostics diagnostics;
  report(lowered_.system, lowered_.words, lowered_.notes, failure, diagnostics);
  return diagnostics.all().front().kind;
}

std::variant<BatchValues, ir::Failure> ModelBatch::evaluate(std::span<const InputColumn> columns,
                                                            const backend::Limits& limits,
                                                            const std::function<void(std::size_t rows)>& progress) {
  auto outcome = batch_->evaluate(columns, limits, progress);
  if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
  auto& result = std::get<backend::BatchResult>(outcome);
  const std::size_t rows =
      columns.empty() ? 0 : std::visit([](const auto& column) { return column.size(); }, columns.front());
  Failures failures(rows);
  std::map<FailureKey, DiagnosticKind> known;
  for (auto& one : result.failures) {
    const auto [found, is_new] = known.try_emplace(key_of(one.failure));
    if (is_new) found->second = kind_of(one.failure);
    failures.add(one.row, {found->second, 0, 0, nullptr, std::move(one.failure)});
  }
  std::size_t first = 0;
  for (const OutputInfo* output : outputs_) {
    for (std::size_t i = first; i < first + output->columns.size(); ++i) {
      const auto* const reals = std::get_if<std::vector<double>>(&result.columns[i]);
      for (std::size_t row = 0; reals != nullptr && row < rows; ++row) {
        if (!std::isfinite((*reals)[row])) failures.add(row, {DiagnosticKind::output_not_finite, 0, 0, output, {}});
      }
    }
    first += output->columns.size();
  }
  BatchValues values;
  values.columns = std::move(result.columns);
  values.in_lanes = result.in_lanes;
  failures.move_into(values);
  return values;
}

}  // namespace wave::analysis
