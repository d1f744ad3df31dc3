// See study_measurements.h.
#include "cli/studies/study_measurements.h"

#include "analysis/validation/measured_data.h"
#include "analysis/validation/pairing.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"
#include "cli/studies/measured_model.h"
#include "cli/text.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wave::cli {
namespace {

using analysis::MeasuredColumns;
using analysis::MeasuredData;
using analysis::ResultColumn;
using analysis::ResultTable;
using frontend::DiagnosticKind;
using Measured = frontend::item::Study::Measured;

// The file that a `measured` clause names. Nothing, reported, where it cannot be read.
std::optional<std::string> read_measured(Session& session, const Measured& clause) {
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

// A table of measurements, and to which points its rows belong.
struct Paired {
  MeasuredData data;
  analysis::Pairing pairing;
};

// Nothing, with diagnostics collected in the session, where they cannot be used.
std::optional<Paired> read_paired(Session& session, const OpenStudy& study, std::uint32_t file,
                                  const MeasuredColumns& columns) {
  auto& diagnostics = session.diagnostics();
  MeasuredData data(session.program(), *study.model, file, columns, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  auto pairing =
      pair_rows({given_model(session, study.choice, *study.model), study.item(), *study.points}, data, diagnostics);
  if (!pairing) return std::nullopt;
  return Paired{std::move(data), std::move(*pairing)};
}

// --- as columns ---

// Beside a column of the same name it is "measured total".
std::string name_for(const std::string& name, const analysis::StudyDescription& description) {
  const auto is_same = [&](const analysis::Column& column) { return column.name == name; };
  return std::any_of(description.columns.begin(), description.columns.end(), is_same) ? "measured " + name : name;
}

analysis::MeasuredColumn column_of(const Paired& paired, const analysis::StudyDescription& description) {
  const MeasuredData& data = paired.data;
  analysis::MeasuredColumn measured;
  measured.column.name = name_for(data.name(), description);
  measured.column.dimension = data.dimension();
  measured.column.unit_was_asked = data.unit().has_value();
  const Scale scale = data.unit() ? scale_of(*data.unit()) : standard_scale(data.dimension());
  measured.column.unit = scale.unit;
  measured.column.multiplier = scale.multiplier;
  measured.column.divisor = scale.divisor;
  measured.keys = paired.pairing.keys;
  measured.values = paired.pairing.means(data);
  return measured;
}

// Measurements of something that varies have a column for it.
bool check_column(Session& session, const Measured& clause, const MeasuredData& data) {
  const auto& parameters = data.parameters();
  if (std::any_of(parameters.begin(), parameters.end(), [&](const auto& one) { return one.name == clause.on.text; }))
    return true;
  session.diagnostics().add(DiagnosticKind::wrong_study, clause.on.location,
                            fmt::format("`{}` has no column `{}`", clause.file.text, clause.on.text),
                            "the measurements are of this");
  return false;
}

void warn_of_none(Session& session, frontend::Location location, const std::string& file) {
  session.diagnostics().add(DiagnosticKind::wrong_study, location,
                            fmt::format("`{}` has no measurement at any point of the study", file),
                            "these measurements", frontend::Severity::warning);
}

}  // namespace

void add_measured(Session& session, const OpenStudy& study, analysis::StudyDescription& description) {
  auto& program = session.program();
  for (const auto& clause : study.study().measured) {
    const auto text = read_measured(session, clause);
    if (!text) continue;
    description.inputs.push_back(analysis::input_of_file(clause.file.text, *text));
    const auto paired = read_paired(session, study, program.sources.add(clause.file.text, *text), columns_for(study));
    if (!paired || !check_column(session, clause, paired->data)) continue;
    remark_on_reading(session, paired->data);
    description.measured.push_back(column_of(*paired, description));
    if (paired->pairing.rows.empty())
      warn_of_none(session, clause.file.location, clause.file.text);
    else if (const std::string said = text_of_elsewhere(paired->data, paired->pairing, sanitize(clause.file.text));
             !said.empty())
      session.console().remark(said + "\n");
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

std::optional<StudyMeasurements> measurements_in(Session& session, const OpenStudy& study, std::uint32_t file,
                                                 const MeasuredColumns& columns, const std::string& name) {
  const auto paired = read_paired(session, study, file, columns);
  if (!paired) return std::nullopt;
  // Of those that the study names, its results have said so.
  if (columns.reading) remark_on_reading(session, paired->data);
  StudyMeasurements measured;
  measured.rows = table_at_points(*study.points, paired->data, paired->pairing);
  if (const auto points = table_of_no_points(*study.points)) name_like_results(measured.rows, *points);
  measured.keys = paired->pairing.keys;
  measured.means = paired->pairing.means(paired->data);
  measured.elsewhere = text_of_elsewhere(paired->data, paired->pairing, sanitize(name));
  return measured;
}

}  // namespace

std::optional<StudyMeasurements> measurements_of(Session& session, const OpenStudy& study) {
  std::optional<StudyMeasurements> all;
  for (const auto& clause : study.study().measured) {
    const auto text = read_measured(session, clause);
    if (!text) return std::nullopt;
    const auto file = session.program().sources.add(clause.file.text, *text);
    auto measured = measurements_in(session, study, file, columns_for(study), clause.file.text);
    if (!measured) return std::nullopt;
    // Pictures have one set of measurements, that of the first file. The others are read for their errors.
    if (!all) all = std::move(measured);
  }
  return all;
}

std::optional<StudyMeasurements> read_measurements(Session& session, const OpenStudy& study,
                                                   const Measurements& measurements) {
  const auto file = load_table(session, measurements.data, "the measurements are");
  if (!file) return std::nullopt;
  MeasuredColumns columns = columns_for(study);
  columns.measured = measurements.measured;
  columns.ignored = measurements.ignored;
  columns.named = measurements.named;
  columns.reading = measurements.reading;
  return measurements_in(session, study, *file, columns,
                         measurements.data == "-" ? standard_input_name : measurements.data);
}

}  // namespace wave::cli
