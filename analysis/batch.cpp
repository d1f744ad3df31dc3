// See batch.h.
#include "analysis/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace wave::analysis {

using backend::InputColumn;
using frontend::DiagnosticKind;
using frontend::OutputInfo;

bool gives_columns(const ir::System& system, const OutputInfo& output) {
  if (!output.root.valid() || output.is_breakdown) return false;
  if (!is_one_row(output.shape)) return false;
  const auto& blocks = system[output.root].blocks;
  return blocks.size() == 1 && blocks.front().levels.empty();
}

namespace {

// Failures of one kind at one location have one diagnostic.
using FailureKey = std::pair<ir::FailureKind, std::uint32_t>;
FailureKey key_of(const ir::Failure& failure) {
  return {failure.kind, failure.site.valid() ? failure.site.index : ~std::uint32_t{0}};
}

}  // namespace

RowFailure explain(const frontend::Lowered& lowered, const ir::Failure& failure) {
  frontend::SiteNotes notes = lowered.notes;
  const auto note = failure.site.valid() ? notes.find(failure.site.index) : notes.end();
  if (note != notes.end()) note->second.constants.clear();  // of what the system was made with, not of this row
  frontend::Diagnostics diagnostics;
  report(lowered.system, lowered.words, notes, failure, diagnostics);
  RowFailure found{{}, diagnostics.all().front()};
  const bool is_authors =
      failure.kind == ir::FailureKind::error_called || failure.kind == ir::FailureKind::require_failed;
  const bool has_words = is_authors && failure.site.valid() && !lowered.system[failure.site].text.empty();
  found.words = has_words ? lowered.system[failure.site].text : std::string(title_of(found.kind()));
  std::replace(found.words.begin(), found.words.end(), '\n', ' ');  // of a row of a file, which is one line
  return found;
}

RowFailure not_finite(const OutputInfo& output) {
  constexpr auto kind = DiagnosticKind::output_not_finite;
  frontend::Diagnostics diagnostics;
  diagnostics.add(kind, output.location, fmt::format("output `{}` is no finite number", output.name), "this output");
  return {std::string(title_of(kind)), diagnostics.all().front()};
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
  for (auto& column : result.columns) values.columns.push_back({std::move(column), {}, {}});
  FailureList failures(rows);
  std::map<FailureKey, RowFailure> known;
  for (const auto& one : result.failures) {
    for (const std::size_t first : one.columns) {
      for (std::size_t i = first; i < output_of.size() && output_of[i] == output_of[first]; ++i)
        values.columns[i].missing.push_back(one.row);
    }
    const auto [found, is_new] = known.try_emplace(key_of(one.failure));
    if (is_new) found->second = explain(lowered_, one.failure);
    failures.add(one.row, found->second);
  }
  for (std::size_t i = 0; i < output_of.size(); ++i) {
    auto& missing = values.columns[i].missing;
    auto* const reals = std::get_if<std::vector<double>>(&values.columns[i].values);
    if (reals == nullptr) continue;
    missing.clear();  // those that failed are among the following
    std::optional<RowFailure> why;
    for (std::size_t row = 0; row < rows; ++row) {
      double& value = (*reals)[row];
      if (std::isfinite(value)) continue;
      if (!why) why = not_finite(*output_of[i]);
      failures.add(row, *why);
      value = std::numeric_limits<double>::quiet_NaN();
      missing.push_back(row);
    }
  }
  values.in_lanes = result.in_lanes;
  values.failed = failures.take();
  return values;
}

}  // namespace wave::analysis
