// See report_parts.h: studies, and predictions beside measurements.
#include "analysis/pictures/column_reader.h"
#include "analysis/study/study_model.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/evaluated_points.h"
#include "cli/studies/fit_reports.h"
#include "cli/studies/report_parts.h"
#include "cli/studies/study_measurements.h"
#include "cli/studies/study_plots.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::cli {
namespace {

using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::page_table;
using analysis::pictures::PageSection;
using analysis::pictures::PageTable;
using analysis::pictures::Plot;
using frontend::DiagnosticKind;
namespace element = analysis::pictures::element;

// Larger studies are for `wave sweep`, which can be interrupted, and whose files other programs read.
constexpr std::uint64_t most_points_of_report = 200'000;
constexpr std::size_t most_rows_of_study = 1000;

bool check_size(Session& session, const OpenStudy& study) {
  if (!check_listed(session, study)) return false;
  const std::uint64_t points = analysis::Product(*study.points).size();
  if (points > most_points_of_report) {
    session.diagnostics()
        .add(DiagnosticKind::study_too_large, {},
             points == ~std::uint64_t{0} ? std::string("the study has more than 10^19 points")
                                         : fmt::format("the study has {} points, too many for a page", grouped(points)))
        .help.push_back(fmt::format("vary fewer values: a report shows up to {}; `wave sweep` writes files of millions",
                                    grouped(most_points_of_report)));
  }
  return !session.diagnostics().has_errors();
}

std::string title_of(const OpenStudy& study) {
  return study.declared ? fmt::format("Study {}", study.declared->name.text) : "Points";
}

std::optional<ResultTable> evaluate(Session& session, const OpenStudy& study) {
  const analysis::Product product(*study.points);
  ProgressLine line(session.console(), "points", static_cast<double>(product.size()));
  return evaluate_points(session, *study.points, product.points(0, product.size()),
                         [&](std::size_t rows) { line.advance(static_cast<double>(rows)); });
}

// One line for each kind of failure, on the page and on standard error.
void note_failed(Session& session, const ResultTable& table, const std::string& where, Problems& problems) {
  std::map<std::pair<DiagnosticKind, std::string>, std::size_t> kinds;
  for (const auto& one : table.failed) kinds[{one.kind(), one.message()}] += one.rows.size();
  for (const auto& [kind, count] : kinds) {
    problems.push_back(fmt::format("{}: {} of {} points failed, {}: {}", where, grouped(count), grouped(table.rows),
                                   code_of(kind.first), kind.second));
    session.console().remark(sanitize(problems.back()) + "\n");
  }
}

// What was measured at the points of a table, beside what was found: the mean of several.
ResultColumn measured_column(const StudyMeasurements& measured, const OpenStudy& study, const ResultTable& table) {
  ResultColumn column = measured.rows.columns.back();
  if (const auto* const found = analysis::pictures::find_column(table, column.name)) {
    column.name = "measured " + column.name;
    column.unit = found->unit;
  }
  std::vector<std::uint64_t> lengths;
  for (const auto& variable : study.points->variables()) lengths.push_back(analysis::length(*variable.listed));
  const analysis::Combinations combinations(lengths, measured.keys);
  std::vector<double> means(table.rows, std::nan(""));
  for (std::size_t point = 0; point < table.rows; ++point) {
    const auto found = measured.means.find(combinations.at(study.points->selection().place(point)));
    if (found != measured.means.end()) means[point] = found->second;
  }
  column.values = std::move(means);
  return column;
}

void add_numbers(PageSection& section, const OpenStudy& study, ResultTable table, const StudyMeasurements* measured) {
  if (measured != nullptr) table.columns.push_back(measured_column(*measured, study, table));
  PageTable texts = page_table(table, most_rows_of_study);
  texts.caption = fmt::format("All points of {}", study.declared ? study.declared->name.text : "what varies");
  if (measured != nullptr && !measured->elsewhere.empty()) texts.caption += "; " + measured->elsewhere;
  section.elements.push_back(element::Numbers{std::move(texts), table.rows > 20});
}

std::string percent_text(double share) { return std::isfinite(share) ? fmt::format("{:+.1f} %", 100 * share) : "–"; }

}  // namespace

std::optional<PageSection> study_section(Session& session, const PageChoice& choice, const OpenStudy& study,
                                         bool has_measurements, Problems& problems) {
  if (!check_size(session, study)) return std::nullopt;
  std::optional<StudyMeasurements> measured;
  if (has_measurements)
    measured = read_measurements(session, study, choice.data);
  else
    measured = measurements_of(session, study);
  if (session.diagnostics().has_errors()) return std::nullopt;
  const auto table = evaluate(session, study);
  if (!table) return std::nullopt;
  if (measured && !measured->elsewhere.empty())
    session.console().remark(fmt::format("{}: {}\n", title_of(study), measured->elsewhere));
  PageSection section{title_of(study), {}};
  if (study.declared && !study.declared->doc.empty()) section.elements.push_back(element::Words{study.declared->doc});
  if (study.declared)
    section.elements.push_back(element::Code{std::string(session.sources().text(study.declared->location))});
  auto plots = plots_of(session, study.study(), *table, measured ? &*measured : nullptr, choice.plots);
  // What a study plots are lines; where two numbers vary, a map shows both at once.
  const bool has_map =
      std::any_of(plots.begin(), plots.end(), [](const Plot& plot) { return plot.kind == Plot::Kind::heat_map; });
  if (choice.plots.of.empty() && !has_map && !plots.empty()) {
    for (Plot& plot : analysis::pictures::usual_plots(*table)) {
      if (plot.kind != Plot::Kind::heat_map || plot.value.name != plots.front().y.name) continue;
      plots.push_back(std::move(plot));
      break;
    }
  }
  if (!choice.no_breakdown && !plots.empty()) {
    const std::string output = plots.front().y.name, along = plots.front().x.name;
    if (auto bars = times_along(session, choice.points, study, *table, output, along))
      plots.push_back(std::move(*bars));
  }
  for (Plot& plot : plots) section.elements.push_back(element::Picture{std::move(plot)});
  note_failed(session, *table, section.heading, problems);
  add_numbers(section, study, *table, measured ? &*measured : nullptr);
  return section;
}

std::optional<PageSection> measured_section(Session& session, const StudyChoice& choice,
                                            const Measurements& measurements, const PlotsAsked& asked,
                                            Problems& problems) {
  auto measured = open_measured(session, choice, measurements);
  if (!measured) return std::nullopt;
  const auto predictions = predict(*measured, {}, engine_limits(session.options()), session.diagnostics());
  if (!predictions) return std::nullopt;
  report_failed(*measured, *predictions, session.diagnostics());
  note_problems(session, problems);
  const auto found = validate(*measured, *predictions, analysis::Preference::unknown);
  const auto& shown = measured->shown();
  PageSection section{"Predictions and measurements", {}};

  // The configurations with their predictions, and the measurements under the same name.
  StudyMeasurements beside;
  beside.rows = measured->data->table();
  ResultTable predicted = measured->data->table_of_configurations();
  beside.rows.columns.back().name = predicted.columns.back().name = shown.name;
  predicted.columns.back().values = predictions->values;
  for (Plot& plot : plots_of(session, frontend::item::Study(), predicted, &beside, asked)) {
    if (plot.kind != Plot::Kind::heat_map) section.elements.push_back(element::Picture{std::move(plot)});
  }
  element::Facts facts;
  facts.of.emplace_back("measurements", measured->file);
  facts.of.emplace_back("mean error", found.failed() == 0
                                          ? percent(found.mean_error)
                                          : fmt::format("{} of {}; {} failed", percent(found.mean_error),
                                                        plural(found.compared, "configuration"), found.failed()));
  facts.of.emplace_back("largest error", found.compared == 0
                                             ? "–"
                                             : fmt::format("{} at {}", percent(found.largest),
                                                           name_of(*measured, session.program(), found.worst)));
  if (found.has_ranking && found.ranking.distinguished > 0) {
    facts.of.emplace_back("ranking", fmt::format("{} of {} pairs of configurations in the right order{}",
                                                 grouped(found.ranking.right), grouped(found.ranking.distinguished),
                                                 found.failed() > 0 ? "; what failed is in no pair" : ""));
  }
  section.elements.push_back(std::move(facts));
  PageTable rows = page_table(predicted, most_rows_of_study);
  rows.caption = "Each configuration";
  const Scale scale = scale_of_measured(*measured);
  rows.columns.back().heading = heading("predicted", scale.unit);
  rows.columns.push_back({heading("measured", scale.unit), "", true, false});
  rows.columns.push_back({"error", "", true, false});
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const auto& pair = found.pairs[i];
    rows.rows[i].back() = std::isfinite(pair.predicted) ? format_number(scale.shown(pair.predicted), 5) : "failed";
    rows.rows[i].push_back(format_number(scale.shown(pair.measured), 5));
    rows.rows[i].push_back(percent_text(pair.error()));
  }
  section.elements.push_back(element::Numbers{std::move(rows), false});
  return section;
}

}  // namespace wave::cli
