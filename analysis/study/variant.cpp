// See variant.h.
#include "analysis/study/variant.h"

#include "analysis/inputs.h"
#include "backend/limits.h"
#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
    auto& d = diagnostics.add(DiagnosticKind::no_column, output.location,
                              fmt::format("`{}` is no column of a study", output.name), "this is shown");
    d.notes.push_back("it has as many rows as the model says");
  }
}

}  // namespace

std::unique_ptr<StudyVariant> StudyVariant::make(const frontend::Program& program, const frontend::Item& study,
                                                 const std::vector<frontend::Override>& overrides,
                                                 const std::vector<std::size_t>& choices,
                                                 const StudyModel::EngineMaker& engines, int threads,
                                                 frontend::Diagnostics& diagnostics, frontend::StudyAsks asks,
                                                 StudySampling sampling) {
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
  variant->prepare(threads, sampling);
  return variant;
}

void StudyVariant::prepare(int threads, StudySampling sampling) {
  const auto& lowered = study_.model;
  std::vector<ir::DefinitionId> parameters;
  for (const auto& one : study_.variables) {
    if (!one.shapes) parameters.push_back(one.definition);
  }
  std::vector<UncertainInput> inputs;
  if (sampling.samples > 0) inputs = uncertain_inputs(lowered, *engine_, {});
  for (const UncertainInput& input : inputs) parameters.push_back(input.written->draw);
  std::vector<const frontend::OutputInfo*> outputs;
  for (const auto& one : lowered.outputs) {
    outputs.push_back(&one);
    for (const auto& column : one.columns) {
      is_text_.push_back(is_string(column.type));
      if (sampling.samples > 0 && has_spread(column)) is_text_.insert(is_text_.end(), std::size(spread_names), false);
    }
  }
  if (sampling.samples > 0) is_text_.push_back(false);
  if (!outputs.empty()) batch_ = std::make_unique<ModelBatch>(lowered, *engine_, parameters, outputs, threads);
  if (batch_ && sampling.samples > 0) sampler_ = std::make_unique<PointSampler>(*batch_, std::move(inputs), sampling);
  for (std::size_t i = 0; i < lowered.words.size(); ++i)
    known_words_.emplace(lowered.words[i], static_cast<std::int64_t>(i));
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
    auto& column = std::get<std::vector<std::int64_t>>(values.columns[i].values);
    std::vector<std::int64_t> known(study_.model.words.size(), -1);
    for (auto& value : column) {
      const auto at = static_cast<std::size_t>(value);
      if (at >= known.size()) continue;
      if (known[at] < 0) known[at] = word_number(words, study_.model.words[at]);
      value = known[at];
    }
  }
  // What a study shows need not be an output.
  for (auto& one : values.failed) {
    if (one.kind() != DiagnosticKind::output_not_finite) continue;
    for (const auto& output : study_.model.outputs) {
      if (output.location == one.diagnostic.labels.front().location)
        one.diagnostic.message = fmt::format("`{}` is no finite number", output.name);
    }
  }
}

// A study without anything that a system is told from outside has one row.
std::variant<BatchValues, ir::Failure> StudyVariant::evaluate_once(const backend::Limits& limits) {
  BatchValues values;
  const auto evaluation = engine_->start({}, limits);
  FailureList failures(1);
  for (const auto& output : study_.model.outputs) {
    auto outcome = evaluation->evaluate(output.root);
    const auto* rows = std::get_if<backend::Rows>(&outcome);
    if (auto* failure = std::get_if<ir::Failure>(&outcome)) {
      if (failure->is_limit()) return std::move(*failure);
      failures.add(0, explain(study_.model, *failure));
    }
    for (std::size_t i = 0; i < output.columns.size(); ++i) {
      bool has_value = rows != nullptr;
      if (std::holds_alternative<frontend::types::Real>(output.columns[i].type->kind)) {
        has_value = has_value && std::isfinite(rows->cells[i].real);
        values.columns.push_back({std::vector<double>{has_value ? rows->cells[i].real : std::nan("")}, {}, {}});
        if (!has_value) failures.add(0, not_finite(output));
      } else {
        const ir::Scalar cell = has_value ? rows->cells[i] : ir::Scalar::of(std::int64_t{0});
        values.columns.push_back(
            {std::vector<std::int64_t>{cell.type == ir::ScalarType::boolean ? cell.boolean : cell.integer}, {}, {}});
      }
      if (!has_value) values.columns.back().missing.push_back(0);
    }
  }
  values.failed = failures.take();
  return values;
}

// Nothing varies within the system.
std::variant<BatchValues, ir::Failure> StudyVariant::replicated(std::variant<BatchValues, ir::Failure> once,
                                                                std::size_t rows,
                                                                std::vector<std::string>& words) const {
  if (std::holds_alternative<ir::Failure>(once)) return once;
  BatchValues values = std::get<BatchValues>(std::move(once));
  translate(values, words);
  for (auto& column : values.columns) {
    std::visit([&](auto& cells) { cells.assign(rows, cells.front()); }, column.values);
    if (column.missing.empty()) continue;
    column.missing.resize(rows);
    std::iota(column.missing.begin(), column.missing.end(), 0);
  }
  if (rows == 0) values.failed.clear();
  for (auto& one : values.failed) {
    one.rows.resize(rows);
    std::iota(one.rows.begin(), one.rows.end(), 0);
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
    auto once = drawn() > 0 ? sampler_->evaluate({}, 1, limits, {}) : evaluate_once(limits);
    if (auto* const found = std::get_if<BatchValues>(&once); found && sampler_ && drawn() == 0)
      *found = sampler_->without_spread(std::move(*found), 1);
    return replicated(std::move(once), rows, words);
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
    std::vector<std::int64_t> known(words.size(), -1);
    for (auto& cell : own) {
      auto& word = known[static_cast<std::size_t>(cell)];
      if (word < 0) word = own_word(words[static_cast<std::size_t>(cell)]);
      cell = word;
    }
    inputs.emplace_back(std::span<const std::int64_t>(own));
  }
  auto outcome =
      sampler_ ? sampler_->evaluate(inputs, rows, limits, progress) : batch_->evaluate(inputs, limits, progress);
  if (auto* evaluated = std::get_if<BatchValues>(&outcome)) translate(*evaluated, words);
  return outcome;
}

namespace {

using frontend::DiagnosticKind;
using frontend::StudyVariable;

// Values that one variable may list; they are kept.
constexpr std::int64_t most_values = 2'000'000;

double number_in(const ir::Scalar& cell) {
  if (cell.type == ir::ScalarType::real) return cell.real;
  return cell.type == ir::ScalarType::boolean ? static_cast<double>(cell.boolean) : static_cast<double>(cell.integer);
}

// What the rows of a root are made of.
std::set<ir::DefinitionId> reached(const ir::System& system, ir::RootId root) {
  std::set<ir::DefinitionId> all;
  if (!root.valid()) return all;
  const auto add = [&](ir::ValueId id) {
    if (id.valid()) all.merge(reach(system, id, [](ir::DefinitionId) { return false; }).definitions);
  };
  for (const auto& block : system[root].blocks) {
    for (const ir::ValueId cell : block.columns) add(cell);
    for (const auto& level : block.levels) add(level.first), add(level.last), add(level.step), add(level.filter);
  }
  return all;
}

class Describer {
 public:
  Describer(StudyVariant& first, const backend::Limits& limits, std::vector<std::string>& words,
            frontend::Diagnostics& diagnostics)
      : first_(first),
        model_(first.study().model),
        limits_(limits),
        words_(words),
        diagnostics_(diagnostics),
        evaluation_(first.engine().start({}, limits)) {}

  Variable describe(const StudyVariable& one) {
    Variable variable{one.name,   one.type,     one.unit,     one.location, one.doc,     one.shapes,
                      one.labels, std::nullopt, std::nullopt, std::nullopt, std::nullopt};
    if (one.shapes) {
      std::vector<std::int64_t> ordinals(one.labels.size());
      std::iota(ordinals.begin(), ordinals.end(), 0);
      variable.listed = std::move(ordinals);
    } else if (one.listed.valid()) {
      if (!may_be_listed(one)) return variable;
      variable.listed = list(one);
    }
    const auto length = [](const auto& column) { return column.size(); };
    if (one.is_listed && variable.listed && std::visit(length, *variable.listed) == 0) {
      diagnostics_
          .add(DiagnosticKind::wrong_study, one.location, fmt::format("`{}` varies over nothing", one.name),
               "an empty list")
          .help.push_back("if it is a range that counts down, its step is negative: `8..1 by -1`");
    }
    if (one.has_usual && one.definition.valid()) {
      const auto outcome = evaluation_->evaluate(one.definition);
      if (const auto* rows = std::get_if<backend::Rows>(&outcome)) variable.usual = number_in(rows->cells.front());
    }
    variable.lower = bound(one, one.lower);
    variable.upper = bound(one, one.upper);
    if (!one.shapes && variable.labels.empty()) variable.labels = words_of_choice(one.type);
    return variable;
  }

 private:
  // Another variable that a root depends on.
  const StudyVariable* other_in(const StudyVariable& one, ir::RootId root) const {
    const auto found = reached(model_.system, root);
    for (const auto& other : first_.study().variables) {
      if (&other != &one && other.definition.valid() && found.contains(other.definition)) return &other;
    }
    return nullptr;
  }

  // A range that moves with what else varies is no range of the variable.
  std::optional<double> bound(const StudyVariable& one, ir::RootId root) {
    if (!root.valid() || other_in(one, root) != nullptr) return std::nullopt;
    const auto outcome = evaluation_->evaluate(root);
    const auto* rows = std::get_if<backend::Rows>(&outcome);
    return rows && rows->cells.size() == 1 ? std::optional(rows->cells.front().real) : std::nullopt;
  }

  bool may_be_listed(const StudyVariable& one) {
    if (const auto* other = other_in(one, one.listed)) {
      diagnostics_
          .add(DiagnosticKind::wrong_study, one.location,
               fmt::format("the values of `{}` depend on `{}`, which varies, too: they form a product", one.name,
                           other->name),
               "varies here")
          .labels.push_back({other->location, "and here"});
      return false;
    }
    const auto counted = evaluation_->evaluate(one.count);
    const auto* count = std::get_if<backend::Rows>(&counted);
    if (!count || count->cells.front().integer <= most_values) return true;
    const auto values = static_cast<double>(count->cells.front().integer);
    auto& d =
        diagnostics_.add(DiagnosticKind::wrong_study, one.location,
                         fmt::format("`{}` has {} values, a list may have {}", one.name, backend::count_text(values),
                                     backend::count_text(static_cast<double>(most_values))),
                         "varies here");
    if (const auto seconds = seconds_a_point()) {
      d.notes.push_back(fmt::format("so many points would take about {}", backend::duration_text(*seconds * values)));
    }
    d.help.push_back(
        "take larger steps, `1..1000000 by 1000` or `by *2`, or ask for the best: `wave optimize`, `wave find`");
    return false;
  }

  // Of points where every variable is as it usually is, or as its list begins.
  std::optional<double> seconds_a_point() {
    constexpr std::size_t points = 256;
    std::vector<ColumnValues> columns;
    for (const auto& one : first_.study().variables) {
      if (one.shapes) continue;
      const auto outcome = evaluation_->evaluate(one.definition);
      const auto* rows = std::get_if<backend::Rows>(&outcome);
      if (!rows) return std::nullopt;
      const double value = number_in(rows->cells.front());
      if (is_real(one.type))
        columns.emplace_back(std::vector<double>(points, value));
      else
        columns.emplace_back(
            std::vector<std::int64_t>(points, is_string(one.type) ? 0 : static_cast<std::int64_t>(value)));
    }
    if (words_.empty()) words_.emplace_back();
    std::vector<const ColumnValues*> pointers;
    for (const auto& one : columns) pointers.push_back(&one);
    constexpr double enough_seconds = 0.5;
    backend::Limits limits = limits_;
    backend::set_time_limit(limits, 4 * enough_seconds);
    double seconds = 0;
    // The first time compiles.
    for (int i = 0; i < 2 && seconds < enough_seconds; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const auto outcome = first_.evaluate(pointers, points, words_, limits, {});
      if (std::holds_alternative<ir::Failure>(outcome)) return std::nullopt;
      seconds = seconds_since(begin);
    }
    return seconds / static_cast<double>(points);
  }

  // Nothing, reported, where it cannot be evaluated.
  std::optional<ColumnValues> list(const StudyVariable& one) {
    const auto outcome = evaluation_->evaluate(one.listed);
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
      report(model_.system, model_.words, model_.notes, *failure, diagnostics_);
      return std::nullopt;
    }
    const auto& rows = std::get<backend::Rows>(outcome);
    if (is_real(one.type)) {
      std::vector<double> values;
      for (const auto& cell : rows.cells) values.push_back(cell.real);
      return values;
    }
    std::vector<std::int64_t> values;
    for (const auto& cell : rows.cells) {
      const std::int64_t value =
          cell.type == ir::ScalarType::boolean ? static_cast<std::int64_t>(cell.boolean) : cell.integer;
      values.push_back(is_string(one.type) ? word_number(words_, model_.words[static_cast<std::size_t>(value)])
                                           : value);
    }
    return values;
  }

  StudyVariant& first_;
  const frontend::Lowered& model_;
  const backend::Limits& limits_;
  std::vector<std::string>& words_;
  frontend::Diagnostics& diagnostics_;
  std::unique_ptr<backend::Evaluation> evaluation_;
};

}  // namespace

std::vector<std::string> words_of_choice(const frontend::TypeRef& type) {
  const auto* choice = std::get_if<frontend::types::Choice>(&type->kind);
  return choice ? choice->words : std::vector<std::string>{};
}

std::vector<Variable> describe_variables(StudyVariant& first, const backend::Limits& limits,
                                         std::vector<std::string>& words, frontend::Diagnostics& diagnostics) {
  Describer describer(first, limits, words, diagnostics);
  std::vector<Variable> variables;
  for (const auto& one : first.study().variables) variables.push_back(describer.describe(one));
  for (auto& one : variables) {
    if (is_string(one.type)) one.labels = words;
  }
  return variables;
}

}  // namespace wave::analysis
