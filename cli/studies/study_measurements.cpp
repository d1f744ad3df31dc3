// See study_measurements.h.
#include "cli/studies/study_measurements.h"

#include "analysis/validation/measured_data.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"
#include "cli/text.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::cli {
namespace {

using analysis::MeasuredColumns;
using analysis::MeasuredData;
using analysis::MeasuredParameter;
using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::Variable;
using frontend::DiagnosticKind;

// The file that a `measured` clause names. Nothing, reported, where it cannot be read.
std::optional<std::string> read_measured(Session& session, const frontend::item::Study::Measured& clause) {
  auto file = frontend::read_data_file(clause.file.text, session.program().main().folder,
                                       search_path(session.options()).folders);
  if (file.ok) return std::move(file.text);
  session.diagnostics().add(DiagnosticKind::bad_data_file, clause.file.location,
                            fmt::format("cannot use the data file `{}`: {}", clause.file.text, file.text),
                            "named here");
  return std::nullopt;
}

MeasuredColumns columns_for(const OpenStudy& study) {
  MeasuredColumns columns;
  for (const auto& variable : study.points->variables()) columns.names[variable.name] = variable.type;
  return columns;
}

// --- as columns ---

// The listed value that each row of the measurements has, by its number; nothing if the study does not list it.
using Ordinals = std::vector<std::optional<std::uint64_t>>;

// Quantities count as equal if they differ in the last digits only: converting a unit may change these.
Ordinals ordinals_of(const std::vector<double>& values, const std::vector<double>& listed) {
  constexpr double close = 1e-12;
  std::vector<std::pair<double, std::uint64_t>> sorted;
  for (const double value : listed) sorted.emplace_back(value, sorted.size());
  std::sort(sorted.begin(), sorted.end());
  Ordinals ordinals;
  for (const double value : values) {
    const double slack = close * std::abs(value);
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair(value - slack, std::uint64_t{0}));
    const bool is_there = found != sorted.end() && found->first <= value + slack;
    ordinals.push_back(is_there ? std::optional(found->second) : std::nullopt);
  }
  return ordinals;
}

template <class Value>
Ordinals ordinals_among(const std::vector<Value>& values, const std::vector<Value>& listed) {
  std::map<Value, std::uint64_t> known;
  for (std::size_t i = 0; i < listed.size(); ++i) known.emplace(listed[i], i);
  Ordinals ordinals;
  for (const auto& value : values) {
    const auto found = known.find(value);
    ordinals.push_back(found == known.end() ? std::nullopt : std::optional(found->second));
  }
  return ordinals;
}

Ordinals ordinals_of(const MeasuredParameter& parameter, const Variable& variable) {
  const auto* reals = std::get_if<std::vector<double>>(&parameter.values);
  const auto* listed_reals = std::get_if<std::vector<double>>(&*variable.listed);
  if (reals != nullptr && listed_reals != nullptr) return ordinals_of(*reals, *listed_reals);
  if (reals != nullptr || listed_reals != nullptr) {
    return Ordinals(analysis::length(parameter.values));
  }
  const auto& integers = std::get<std::vector<std::int64_t>>(parameter.values);
  const auto& listed = std::get<std::vector<std::int64_t>>(*variable.listed);
  if (!parameter.has_texts) return ordinals_among(integers, listed);
  const auto text_in = [](const std::vector<std::string>& texts, std::int64_t at) {
    return at >= 0 && static_cast<std::size_t>(at) < texts.size() ? texts[static_cast<std::size_t>(at)] : std::string();
  };
  std::vector<std::string> texts, labels;
  for (const std::int64_t value : integers) texts.push_back(text_in(parameter.texts, value));
  for (const std::int64_t value : listed) labels.push_back(text_in(variable.labels, value));
  return ordinals_among(texts, labels);
}

// Beside a column of the same name it is "measured total".
std::string name_for(const std::string& name, const analysis::StudyDescription& description) {
  const auto is_same = [&](const analysis::Column& column) { return column.name == name; };
  return std::any_of(description.columns.begin(), description.columns.end(), is_same) ? "measured " + name : name;
}

analysis::MeasuredColumn join(Session& session, const frontend::item::Study::Measured& clause, const OpenStudy& study,
                              const MeasuredData& data, const analysis::StudyDescription& description) {
  analysis::MeasuredColumn measured;
  measured.column.name = name_for(data.name(), description);
  measured.column.dimension = data.dimension();
  measured.column.unit_was_asked = data.unit().has_value();
  const Scale scale = data.unit() ? scale_of(*data.unit()) : standard_scale(data.dimension());
  measured.column.unit = scale.unit;
  measured.column.multiplier = scale.multiplier;
  measured.column.divisor = scale.divisor;
  const auto& variables = study.points->variables();
  std::vector<Ordinals> ordinals;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (const auto& parameter : data.parameters()) {
      if (parameter.name != variables[i].name) continue;
      measured.keys.push_back(static_cast<std::uint32_t>(i));
      ordinals.push_back(ordinals_of(parameter, variables[i]));
      counts.push_back(analysis::length(*variables[i].listed));
    }
  }
  const auto has_column = [&](const auto& parameter) { return parameter.name == clause.on.text; };
  if (std::none_of(data.parameters().begin(), data.parameters().end(), has_column)) {
    session.diagnostics().add(DiagnosticKind::wrong_study, clause.on.location,
                              fmt::format("`{}` has no column `{}`", clause.file.text, clause.on.text),
                              "the measurements are of this");
    return measured;
  }
  std::map<std::uint64_t, std::pair<double, std::size_t>> sums;
  std::size_t elsewhere = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::uint64_t where = 0;
    bool is_there = true;
    for (std::size_t key = 0; key < ordinals.size(); ++key) {
      is_there = is_there && ordinals[key][row].has_value();
      where = where * counts[key] + ordinals[key][row].value_or(0);
    }
    elsewhere += is_there ? 0 : 1;
    if (!is_there) continue;
    auto& [sum, count] = sums[where];
    sum += data.measured()[row];
    ++count;
  }
  for (const auto& [where, sum] : sums) measured.values[where] = sum.first / static_cast<double>(sum.second);
  if (elsewhere > 0 && !measured.values.empty()) {
    session.console().remark(fmt::format("{} of {} rows of {} are at no point of the study\n", grouped(elsewhere),
                                         grouped(data.rows()), sanitize(clause.file.text)));
  }
  if (measured.values.empty()) {
    session.diagnostics().add(DiagnosticKind::wrong_study, clause.file.location,
                              fmt::format("`{}` has no measurement at any point of the study", clause.file.text),
                              "these measurements", frontend::Severity::warning);
  }
  return measured;
}

}  // namespace

void add_measured(Session& session, const OpenStudy& study, analysis::StudyDescription& description) {
  auto& program = session.program();
  for (const auto& clause : study.study().measured) {
    const auto text = read_measured(session, clause);
    if (!text) continue;
    description.inputs.push_back(analysis::input_of_file(clause.file.text, *text));
    const MeasuredData data(program, *study.model, program.sources.add(clause.file.text, *text), columns_for(study),
                            session.diagnostics());
    if (session.diagnostics().has_errors()) continue;
    auto measured = join(session, clause, study, data, description);
    if (!session.diagnostics().has_errors()) description.measured.push_back(std::move(measured));
  }
}

// --- as points of pictures ---

namespace {

// Measured times may have any name. If no result has that name, they belong to the first result of the same dimension.
void name_like_results(ResultTable& measured, const ResultTable& table) {
  ResultColumn& found = measured.columns.back();
  for (const auto& column : table.columns) {
    if (column.name == found.name && !column.varied) return;
  }
  for (const auto& column : table.columns) {
    if (column.varied || dimension_of(column.type) != dimension_of(found.type)) continue;
    found.name = column.name;
    return;
  }
}

std::optional<ResultTable> read_table(Session& session, const OpenStudy& study, std::uint32_t file,
                                      const MeasuredColumns& columns) {
  const MeasuredData data(session.program(), *study.model, file, columns, session.diagnostics());
  if (session.diagnostics().has_errors()) return std::nullopt;
  ResultTable table = data.table();
  if (const auto points = table_of_no_points(*study.points)) name_like_results(table, *points);
  return table;
}

}  // namespace

std::optional<ResultTable> measurements_of(Session& session, const OpenStudy& study) {
  std::optional<ResultTable> all;
  for (const auto& clause : study.study().measured) {
    const auto text = read_measured(session, clause);
    if (!text) return std::nullopt;
    const auto file = session.program().sources.add(clause.file.text, *text);
    auto table = read_table(session, study, file, columns_for(study));
    if (!table) return std::nullopt;
    // Pictures have one set of measurements, that of the first file. The others are read for their errors.
    if (!all) all = std::move(table);
  }
  return all;
}

std::optional<ResultTable> read_measurements(Session& session, const OpenStudy& study,
                                             const Measurements& measurements) {
  const auto file = load_table(session, measurements.data, "the measurements are");
  if (!file) return std::nullopt;
  MeasuredColumns columns = columns_for(study);
  columns.measured = measurements.measured;
  columns.ignored = measurements.ignored;
  return read_table(session, study, *file, columns);
}

}  // namespace wave::cli
