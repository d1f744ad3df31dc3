// See variant.h.
#include "analysis/study/variant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wave::analysis {

using frontend::DiagnosticKind;

bool is_string(const frontend::TypeRef& type) {
  return type && std::holds_alternative<frontend::types::String>(type->kind);
}

std::int64_t word_number(std::vector<std::string>& words, const std::string& text) {
  const auto at = static_cast<std::size_t>(std::find(words.begin(), words.end(), text) - words.begin());
  if (at == words.size()) words.push_back(text);
  return static_cast<std::int64_t>(at);
}

namespace {

void report_no_columns(const frontend::LoweredStudy& study, frontend::Diagnostics& diagnostics) {
  for (const auto& output : study.model.outputs) {
    if (output.failed || gives_columns(study.model.system, output)) continue;
    auto& d = diagnostics.add(DiagnosticKind::no_column, output.place,
                              fmt::format("`{}` is no column of a study", output.name), "this is shown");
    d.notes.push_back("it has as many rows as the model says");
  }
}

}  // namespace

std::unique_ptr<StudyVariant> StudyVariant::make(const frontend::Program& program, const frontend::Item& study,
                                                 const std::vector<frontend::Override>& overrides,
                                                 const std::vector<std::size_t>& choices,
                                                 const StudyModel::EngineMaker& engines, int threads,
                                                 frontend::Diagnostics& diagnostics, frontend::StudyAsks asks) {
  frontend::Diagnostics found;
  auto variant = std::make_unique<StudyVariant>();
  variant->study_ = lower_study(program, study, overrides, choices, found, asks);
  const auto& lowered = variant->study_.model;
  if (!found.has_errors()) report_no_columns(variant->study_, found);
  const bool is_clear = !found.has_errors();
  for (const auto& one : found.all()) diagnostics.add(one.kind, {}, "") = one;
  if (!is_clear) return nullptr;
  variant->engine_ = engines(lowered.system);
  if (!variant->engine_) return nullptr;
  std::vector<ir::DefinitionId> parameters;
  for (const auto& one : variant->study_.variables) {
    if (!one.shapes) parameters.push_back(one.definition);
  }
  std::vector<const frontend::OutputInfo*> outputs;
  for (const auto& one : lowered.outputs) {
    outputs.push_back(&one);
    for (const auto& column : one.columns) variant->is_text_.push_back(is_string(column.type));
  }
  if (!outputs.empty())
    variant->batch_ = std::make_unique<ModelBatch>(lowered, *variant->engine_, parameters, outputs, threads);
  for (std::size_t i = 0; i < lowered.words.size(); ++i)
    variant->known_words_.emplace(lowered.words[i], static_cast<std::int64_t>(i));
  return variant;
}

std::int64_t StudyVariant::own_word(const std::string& text) {
  auto& words = study_.model.words;
  const auto [known, is_new] = known_words_.try_emplace(text, static_cast<std::int64_t>(words.size()));
  if (is_new) words.push_back(text);
  return known->second;
}

void StudyVariant::translate(BatchValues& values, std::vector<std::string>& words) const {
  for (std::size_t i = 0; i < values.columns.size(); ++i) {
    if (!is_text_[i]) continue;
    auto& column = std::get<std::vector<std::int64_t>>(values.columns[i]);
    std::vector<std::int64_t> known(study_.model.words.size(), -1);
    for (auto& value : column) {
      const auto at = static_cast<std::size_t>(value);
      if (at >= known.size()) continue;
      if (known[at] < 0) known[at] = word_number(words, study_.model.words[at]);
      value = known[at];
    }
  }
}

// A study without anything that a system is told from outside has one row.
std::variant<BatchValues, ir::Failure> StudyVariant::evaluate_once(const backend::Limits& limits) {
  BatchValues values;
  const auto evaluation = engine_->start({}, limits);
  const auto fail = [&](FailedKind kind) {
    if (!values.failed.empty()) return;
    values.failed.push_back({0, 0});
    values.kinds.push_back(std::move(kind));
  };
  for (const auto& output : study_.model.outputs) {
    auto outcome = evaluation->evaluate(output.root);
    const auto* rows = std::get_if<backend::Rows>(&outcome);
    if (auto* failure = std::get_if<ir::Failure>(&outcome)) {
      if (failure->is_limit()) return std::move(*failure);
      frontend::Diagnostics diagnostics;
      const auto& system = study_.model.system;
      report(system, study_.model.words, study_.model.notes, *failure, diagnostics);
      fail({words_of(diagnostics.all().front().kind, system, *failure), 1, 0, nullptr, std::move(*failure)});
    }
    for (std::size_t i = 0; i < output.columns.size(); ++i) {
      bool has_value = rows != nullptr;
      if (std::holds_alternative<frontend::types::Real>(output.columns[i].type->kind)) {
        has_value = has_value && std::isfinite(rows->cells[i].real);
        values.columns.emplace_back(std::vector<double>{has_value ? rows->cells[i].real : std::nan("")});
        constexpr auto kind = DiagnosticKind::output_not_finite;
        if (!has_value) fail({{kind, std::string(title_of(kind))}, 1, 0, &output, {}});
      } else {
        const ir::Scalar cell = has_value ? rows->cells[i] : ir::Scalar::of(std::int64_t{0});
        values.columns.emplace_back(
            std::vector<std::int64_t>{cell.type == ir::ScalarType::boolean ? cell.boolean : cell.integer});
      }
      values.missing.emplace_back(has_value ? 0 : 1);
    }
  }
  return values;
}

std::variant<BatchValues, ir::Failure> StudyVariant::evaluate(const std::vector<const ColumnValues*>& columns,
                                                              std::size_t rows, std::vector<std::string>& words,
                                                              const backend::Limits& limits,
                                                              const std::function<void(std::size_t rows)>& progress) {
  BatchValues values;
  if (!batch_) return values;
  if (columns.empty()) {
    auto once = evaluate_once(limits);
    if (std::holds_alternative<ir::Failure>(once)) return once;
    values = std::get<BatchValues>(std::move(once));
    translate(values, words);
    for (auto& column : values.columns) std::visit([&](auto& cells) { cells.assign(rows, cells.front()); }, column);
    for (auto& missing : values.missing) {
      if (missing.empty()) continue;
      missing.resize(rows);
      std::iota(missing.begin(), missing.end(), 0);
    }
    if (!values.failed.empty()) {
      for (std::size_t row = 1; row < rows; ++row) values.failed.push_back({row, 0});
      values.kinds.front().count = rows;
    }
    return values;
  }
  std::vector<std::vector<std::int64_t>> translated;
  translated.reserve(columns.size());
  std::vector<backend::InputColumn> inputs;
  std::size_t at = 0;
  for (const auto& variable : study_.variables) {
    if (variable.shapes) continue;
    const ColumnValues& column = *columns[at++];
    if (!is_string(variable.type)) {
      inputs.push_back(std::visit([](const auto& cells) { return backend::InputColumn(std::span(cells)); }, column));
      continue;
    }
    auto& own = translated.emplace_back(std::get<std::vector<std::int64_t>>(column));
    for (auto& cell : own) cell = own_word(words[static_cast<std::size_t>(cell)]);
    inputs.emplace_back(std::span<const std::int64_t>(own));
  }
  auto outcome = batch_->evaluate(inputs, limits, progress);
  if (auto* evaluated = std::get_if<BatchValues>(&outcome)) translate(*evaluated, words);
  return outcome;
}

std::string StudyVariant::message(const FailedKind& kind) const {
  if (kind.output != nullptr) return fmt::format("`{}` is no finite number", kind.output->name);
  frontend::SiteNotes notes = study_.model.notes;
  const auto note = kind.failure.site.valid() ? notes.find(kind.failure.site.index) : notes.end();
  if (note != notes.end()) note->second.constants.clear();  // of the stand-ins, not of this row
  frontend::Diagnostics diagnostics;
  report(study_.model.system, study_.model.words, notes, kind.failure, diagnostics);
  return diagnostics.all().front().message;
}

}  // namespace wave::analysis
