// A study as columns in and out. See study_model.h.
#include "analysis/study/study_model.h"

#include "analysis/study/sampled.h"
#include "analysis/study/variant.h"
#include "frontend/check/type_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace wave::analysis {
namespace {

using frontend::DiagnosticKind;

// Systems that are kept, each with its engine. More come and go.
constexpr std::size_t most_variants = 64;

ColumnValues rows_of(const ColumnValues& values, const std::vector<std::size_t>& rows) {
  return std::visit(
      [&](const auto& column) -> ColumnValues {
        std::remove_cvref_t<decltype(column)> some;
        some.reserve(rows.size());
        for (const std::size_t row : rows) some.push_back(column[row]);
        return some;
      },
      values);
}

class LoweredStudyModel final : public StudyModel {
 public:
  LoweredStudyModel(const frontend::Program& program, const frontend::Item& study,
                    std::vector<frontend::Override> overrides, EngineMaker engines, int threads,
                    frontend::StudyAsks asks, StudySampling sampling)
      : program_(program),
        study_(study),
        engines_(std::move(engines)),
        threads_(threads),
        asks_(asks),
        sampling_(sampling),
        overrides_(std::move(overrides)) {}

  bool prepare(const backend::Limits& limits, frontend::Diagnostics& diagnostics);

  const std::vector<Variable>& variables() const override { return variables_; }
  const std::vector<Shown>& shown() const override { return shown_; }
  const frontend::Lowered& lowered() const override { return first_->study().model; }
  const backend::Engine* engine() const override { return &first_->engine(); }
  std::string schedule() const override { return first_->schedule(); }
  std::size_t drawn() const override { return first_->drawn(); }
  void list_rows(std::vector<VaryingColumn> columns, const std::vector<std::string>& words) override;
  std::vector<ColumnValues> take_points() override;
  const frontend::LoweredStudy* system(std::span<const std::size_t> choices) override {
    frontend::Diagnostics ignored;
    const auto* found = variant({choices.begin(), choices.end()}, ignored);
    return found ? &found->study() : nullptr;
  }
  std::variant<ResultTable, ir::Failure> evaluate(std::vector<ColumnValues> points, const backend::Limits& limits,
                                                  const std::function<void(std::size_t rows)>& progress) override;

 private:
  using Choices = std::vector<std::size_t>;

  void add_spread(const frontend::ColumnInfo& column, const frontend::OutputInfo& output);
  ResultTable empty_table(std::vector<ColumnValues> points, std::size_t rows) const;
  StudyVariant* variant(const Choices& choices, frontend::Diagnostics& diagnostics);
  std::vector<std::pair<Choices, std::vector<std::size_t>>> by_choices(std::span<const ColumnValues> points,
                                                                       std::size_t rows) const;
  void scatter(BatchValues& values, const std::vector<std::size_t>& rows, bool is_whole, ResultTable& table) const;
  void fail_all(const std::vector<std::size_t>& rows, const frontend::Diagnostics& diagnostics,
                ResultTable& table) const;
  static void add_failed(const RowFailure& failure, std::vector<std::uint64_t> rows, ResultTable& table);

  const frontend::Program& program_;
  const frontend::Item& study_;
  const EngineMaker engines_;
  const int threads_;
  const frontend::StudyAsks asks_;
  const StudySampling sampling_;
  std::vector<frontend::Override> overrides_;
  std::vector<Variable> variables_;
  std::vector<Shown> shown_;
  std::vector<std::string> words_;       // strings of the study, in whatever system
  std::shared_ptr<StudyVariant> first_;  // where every choice is the first
  std::map<Choices, std::shared_ptr<StudyVariant>> variants_;
};

bool LoweredStudyModel::prepare(const backend::Limits& limits, frontend::Diagnostics& diagnostics) {
  first_ = StudyVariant::make(program_, study_, overrides_, {}, engines_, threads_, diagnostics, asks_, sampling_);
  if (!first_) return false;
  const auto& study = first_->study();
  variables_ = describe_variables(*first_, limits, words_, diagnostics);
  for (const auto& output : study.model.outputs) {
    for (const auto& column : output.columns) {
      shown_.push_back({column.name, column.type, column.unit, output.doc, output.location});
      if (sampling_.samples > 0 && has_spread(column)) add_spread(column, output);
    }
  }
  if (sampling_.samples > 0) shown_.push_back({"samples", frontend::check::int_type(), {}, "that did not fail", {}});
  Choices none;
  for (const auto& one : variables_) {
    if (one.shapes) none.push_back(0);
  }
  variants_[none] = first_;
  return !diagnostics.has_errors();
}

void LoweredStudyModel::add_spread(const frontend::ColumnInfo& column, const frontend::OutputInfo& output) {
  const frontend::TypeRef type = is_real(column.type) ? column.type : frontend::check::real_type();
  for (const char* const name : spread_names)
    shown_.push_back({fmt::format("{}.{}", column.name, name), type, column.unit, output.doc, output.location});
}

void LoweredStudyModel::list_rows(std::vector<VaryingColumn> columns, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    Variable& variable = variables_[i];
    variable.unit = std::move(columns[i].unit);
    variable.listed = std::move(columns[i].values);
    if (!is_string(variable.type)) continue;
    std::vector<std::int64_t> known(words.size(), -1);
    for (auto& value : std::get<std::vector<std::int64_t>>(*variable.listed)) {
      auto& word = known[static_cast<std::size_t>(value)];
      if (word < 0) word = word_number(words_, words[static_cast<std::size_t>(value)]);
      value = word;
    }
  }
  for (auto& variable : variables_) {
    if (is_string(variable.type)) variable.labels = words_;
  }
  select(Selection::all_rows());
}

std::vector<ColumnValues> LoweredStudyModel::take_points() {
  const Product product(*this);
  if (!selection().of_rows() || !selection().is_all()) return product.points(0, product.size());
  std::vector<ColumnValues> points;
  for (auto& variable : variables_) points.push_back(*std::exchange(variable.listed, std::nullopt));
  return points;
}

ResultTable LoweredStudyModel::empty_table(std::vector<ColumnValues> points, std::size_t rows) const {
  ResultTable table;
  table.rows = rows;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const auto& one = variables_[i];
    table.columns.push_back({{std::move(points[i]), {}, one.labels}, one.name, one.type, one.unit, one.doc, true});
  }
  for (const auto& one : shown_) {
    ColumnValues values = is_real(one.type) ? ColumnValues(std::vector<double>()) : std::vector<std::int64_t>();
    table.columns.push_back(
        {{std::move(values), {}, words_of_choice(one.type)}, one.name, one.type, one.unit, one.doc, false});
  }
  return table;
}

// Gives a column that has no values yet an empty one for every row.
void fill(ColumnValues& values, std::size_t rows) {
  if (auto* const reals = std::get_if<std::vector<double>>(&values))
    reals->resize(rows, std::nan(""));
  else
    std::get<std::vector<std::int64_t>>(values).resize(rows, 0);
}

StudyVariant* LoweredStudyModel::variant(const Choices& choices, frontend::Diagnostics& diagnostics) {
  const auto known = variants_.find(choices);
  if (known != variants_.end()) return known->second.get();
  Choices by_variable;
  std::size_t at = 0;
  for (const auto& one : variables_) by_variable.push_back(one.shapes ? choices[at++] : 0);
  auto made =
      StudyVariant::make(program_, study_, overrides_, by_variable, engines_, threads_, diagnostics, asks_, sampling_);
  if (!made) return nullptr;
  if (variants_.size() >= most_variants) variants_.clear();
  return (variants_[choices] = std::move(made)).get();
}

// The rows of every system, in the order in which systems appear.
std::vector<std::pair<LoweredStudyModel::Choices, std::vector<std::size_t>>> LoweredStudyModel::by_choices(
    std::span<const ColumnValues> points, std::size_t rows) const {
  std::vector<const std::vector<std::int64_t>*> shaping;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].shapes) shaping.push_back(&std::get<std::vector<std::int64_t>>(points[i]));
  }
  std::vector<std::pair<Choices, std::vector<std::size_t>>> groups;
  std::map<Choices, std::size_t> known;
  Choices choices(shaping.size());
  std::size_t group = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    bool is_same = row > 0;
    for (std::size_t i = 0; i < shaping.size(); ++i) {
      const auto choice = static_cast<std::size_t>((*shaping[i])[row]);
      is_same &= choices[i] == choice;
      choices[i] = choice;
    }
    if (!is_same) {
      const auto [found, is_new] = known.try_emplace(choices, groups.size());
      if (is_new) groups.push_back({choices, {}});
      if (shaping.empty()) groups.back().second.reserve(rows);
      group = found->second;
    }
    groups[group].second.push_back(row);
  }
  return groups;
}

void LoweredStudyModel::scatter(BatchValues& values, const std::vector<std::size_t>& rows, bool is_whole,
                                ResultTable& table) const {
  for (std::size_t i = 0; i < values.columns.size(); ++i) {
    auto& column = table.columns[variables_.size() + i].values;
    auto& missing = table.columns[variables_.size() + i].missing;
    for (const std::uint64_t row : values.columns[i].missing) missing.push_back(rows[row]);
    if (is_whole) {
      column = std::move(values.columns[i].values);
      continue;
    }
    std::visit(
        [&](const auto& from) {
          auto& to = std::get<std::remove_cvref_t<decltype(from)>>(column);
          for (std::size_t k = 0; k < rows.size(); ++k) to[rows[k]] = from[k];
        },
        values.columns[i].values);
  }
  for (auto& one : values.failed) {
    for (auto& row : one.rows) row = rows[row];
    add_failed(one, std::move(one.rows), table);
  }
}

// Systems say different things of rows that failed in the same way; each is kept.
void LoweredStudyModel::add_failed(const RowFailure& failure, std::vector<std::uint64_t> rows, ResultTable& table) {
  const auto is_same = [&](const FailedRows& one) {
    return one.same_way(failure) && one.message() == failure.message();
  };
  const auto found = std::find_if(table.failed.begin(), table.failed.end(), is_same);
  if (found == table.failed.end()) {
    table.failed.push_back({failure, std::move(rows)});
    return;
  }
  if (rows.front() < found->rows.front()) found->diagnostic = failure.diagnostic;
  const auto before = static_cast<std::ptrdiff_t>(found->rows.size());
  found->rows.insert(found->rows.end(), rows.begin(), rows.end());
  std::inplace_merge(found->rows.begin(), found->rows.begin() + before, found->rows.end());
}

// A system that cannot be made fails at all of its points.
void LoweredStudyModel::fail_all(const std::vector<std::size_t>& rows, const frontend::Diagnostics& diagnostics,
                                 ResultTable& table) const {
  const auto is_error = [](const auto& one) { return one.severity == frontend::Severity::error; };
  const auto found = std::find_if(diagnostics.all().begin(), diagnostics.all().end(), is_error);
  frontend::Diagnostic why{DiagnosticKind::wrong_study, "there is no engine for it", {}, {}, {}};
  if (found != diagnostics.all().end()) why = *found;
  add_failed({std::string(title_of(why.kind)), why}, {rows.begin(), rows.end()}, table);
  for (auto& column : table.columns) {
    if (!column.varied) column.missing.insert(column.missing.end(), rows.begin(), rows.end());
  }
}

std::variant<ResultTable, ir::Failure> LoweredStudyModel::evaluate(
    std::vector<ColumnValues> points, const backend::Limits& limits,
    const std::function<void(std::size_t rows)>& progress) {
  const std::size_t rows = points.empty() ? 1 : length(points.front());
  const auto groups = by_choices(points, rows);
  ResultTable table = empty_table(std::move(points), rows);
  // A single group brings its columns along.
  for (auto& column : table.columns) {
    if (groups.size() != 1) fill(column.values, rows);
  }
  std::size_t done = 0;
  for (const auto& [choices, members] : groups) {
    const bool is_whole = groups.size() == 1;
    frontend::Diagnostics diagnostics;
    StudyVariant* const here = variant(choices, diagnostics);
    if (here == nullptr) {
      fail_all(members, diagnostics, table);
      done += members.size();
      continue;
    }
    std::vector<ColumnValues> gathered;
    gathered.reserve(variables_.size());
    std::vector<const ColumnValues*> columns;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].shapes) continue;
      const ColumnValues& all = table.columns[i].values;
      if (!is_whole) gathered.push_back(rows_of(all, members));
      columns.push_back(is_whole ? &all : &gathered.back());
    }
    auto outcome = here->evaluate(columns, members.size(), words_, limits, [&](std::size_t now) {
      if (progress) progress(done + now);
    });
    if (auto* failure = std::get_if<ir::Failure>(&outcome)) return std::move(*failure);
    table.in_lanes += std::get<BatchValues>(outcome).in_lanes;
    scatter(std::get<BatchValues>(outcome), members, is_whole, table);
    done += members.size();
  }
  std::sort(table.failed.begin(), table.failed.end(),
            [](const auto& a, const auto& b) { return a.rows.front() < b.rows.front(); });
  for (auto& column : table.columns) {
    fill(column.values, rows);
    std::sort(column.missing.begin(), column.missing.end());
    if (is_string(column.type)) column.labels = words_;
  }
  return table;
}

}  // namespace

std::unique_ptr<StudyModel> StudyModel::make(const frontend::Program& program, const frontend::Item& study,
                                             std::vector<frontend::Override> overrides, EngineMaker engines,
                                             int threads, const backend::Limits& limits,
                                             frontend::Diagnostics& diagnostics, frontend::StudyAsks asks,
                                             StudySampling sampling) {
  asks.draws = sampling.samples > 0;
  auto model = std::make_unique<LoweredStudyModel>(program, study, std::move(overrides), std::move(engines), threads,
                                                   asks, sampling);
  return model->prepare(limits, diagnostics) ? std::move(model) : nullptr;
}

// --- the points of a study, counted ---

namespace {

// Appends the values at begin <= i < end of a variable that changes every `stride` places.
void append(ColumnValues& to, const ColumnValues& listed, std::uint64_t stride, std::uint64_t begin,
            std::uint64_t end) {
  std::visit(
      [&](const auto& values) {
        auto& column = std::get<std::remove_cvref_t<decltype(values)>>(to);
        if (stride == 1 && end <= values.size()) {
          column.insert(column.end(), values.begin() + static_cast<std::ptrdiff_t>(begin),
                        values.begin() + static_cast<std::ptrdiff_t>(end));
          return;
        }
        std::uint64_t at = begin / stride % values.size();
        std::uint64_t left = stride - begin % stride;  // points until it changes
        for (std::uint64_t i = begin; i < end; ++i) {
          column.push_back(values[at]);
          if (--left > 0) continue;
          left = stride;
          if (++at == values.size()) at = 0;
        }
      },
      listed);
}

}  // namespace

const Selection Product::everything{};

Product::Product(const std::vector<Variable>& variables, const Selection& selection)
    : variables_(variables), selection_(selection) {
  bool is_empty = false;
  for (const auto& variable : variables) is_empty |= length(variable.listed.value()) == 0;
  if (is_empty) size_ = 0;
  for (const auto& variable : variables) {
    if (is_empty) break;
    if (selection_.of_rows()) {
      size_ = length(*variable.listed);
    } else if (__builtin_mul_overflow(size_, length(*variable.listed), &size_)) {
      size_ = std::numeric_limits<std::uint64_t>::max();
      break;
    }
  }
  if (!selection_.is_all()) size_ = selection_.size();
}

std::vector<ColumnValues> Product::points(std::uint64_t begin, std::uint64_t end) const {
  std::vector<ColumnValues> columns;
  for (const auto& variable : variables_) {
    columns.push_back(std::visit(
        [&](const auto& values) -> ColumnValues {
          std::remove_cvref_t<decltype(values)> column;
          column.reserve(end - begin);
          return column;
        },
        *variable.listed));
  }
  for (std::uint64_t point = begin; point < end;) {
    const std::uint64_t count = std::min(end - point, selection_.run_length(point)), place = selection_.place(point);
    std::uint64_t stride = 1;
    for (std::size_t i = variables_.size(); i-- > 0;) {
      const ColumnValues& listed = *variables_[i].listed;
      append(columns[i], listed, stride, place, place + count);
      if (selection_.of_rows()) continue;  // every value stands for a row
      if (__builtin_mul_overflow(stride, length(listed), &stride)) stride = std::numeric_limits<std::uint64_t>::max();
    }
    point += count;
  }
  return columns;
}

void report_unlisted(const Variable& variable, const std::string& label, const std::string& help,
                     frontend::Diagnostics& diagnostics) {
  diagnostics
      .add(frontend::DiagnosticKind::wrong_study, variable.location, "`" + variable.name + "` is given no values",
           label)
      .help.push_back(help);
}

}  // namespace wave::analysis
