// See study_sides.h.
#include "cli/studies/study_sides.h"

#include "cli/cells.h"
#include "cli/limits.h"
#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wave::cli {
namespace {

using analysis::ColumnValues;
using analysis::FailedRows;
using analysis::ResultColumn;
using frontend::DiagnosticKind;

std::optional<OpenStudy> open_side(Session& session, StudyChoice choice, const Side& side,
                                   const StudyQuestion& question) {
  choice.overrides = side.overrides();
  return question.vary.empty() ? open_study(session, choice) : ask_study(session, choice, question);
}

}  // namespace

std::unique_ptr<StudySides> StudySides::open(Session& session, const StudyChoice& choice, const TwoSides& sides,
                                             const std::vector<std::string>& vary) {
  StudyQuestion question{vary, choice.show};
  if (!vary.empty() && question.show.empty()) {
    // Once, so that what is left out is said once.
    const auto* model = choose_model(session, choice.model);
    if (model == nullptr) return nullptr;
    question.show = outputs_to_show(session, *model);
    if (question.show.empty()) return nullptr;
  }
  auto first = open_side(session, choice, sides.first, question);
  if (!first) return nullptr;
  auto second = open_side(session, choice, sides.second, question);
  if (!second) return nullptr;
  std::unique_ptr<StudySides> both(new StudySides(session, std::move(*first), std::move(*second)));
  if (!both->vary_the_same() || !both->find_numbers()) return nullptr;
  // What has no place on one side is not compared.
  auto common = in_both(both->first_.points->selection(), both->second_.points->selection());
  if (!common.is_all() && common.size() == 0) {
    session.diagnostics()
        .add(DiagnosticKind::wrong_study, {}, "the sides have no point in common")
        .help.push_back("`--where` holds at other points on each side: ask for what holds on both");
    return nullptr;
  }
  both->first_.points->select(std::move(common));
  return both;
}

bool StudySides::vary_the_same() {
  const auto& ours = first_.points->variables();
  const auto& others = second_.points->variables();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (i < others.size() && ours[i].name == others[i].name && ours[i].listed == others[i].listed &&
        ours[i].labels == others[i].labels) {
      continue;
    }
    session_.diagnostics()
        .add(DiagnosticKind::wrong_study, ours[i].place,
             fmt::format("`{}` varies over other values on each side", ours[i].name),
             "the list depends on what a side gives")
        .help.push_back("list the values themselves");
    return false;
  }
  return ours.size() == others.size();
}

bool StudySides::find_numbers() {
  const auto& shown = first_.points->shown();
  for (std::size_t i = 0; i < shown.size() && i < second_.points->shown().size(); ++i) {
    const frontend::ColumnInfo column{shown[i].name, shown[i].type, shown[i].unit};
    if (!is_number(column)) continue;
    numbers_.push_back({shown[i].name, column, nullptr});
    columns_.push_back(i);
  }
  if (!numbers_.empty()) return true;
  session_.diagnostics().add(DiagnosticKind::no_column, {}, "nothing that is shown is a number");
  return false;
}

std::optional<std::vector<std::vector<double>>> StudySides::evaluate(OpenStudy& side,
                                                                     std::span<const ColumnValues> points,
                                                                     std::vector<FailedRows>& failed,
                                                                     const std::function<void(std::size_t)>& progress) {
  auto outcome = side.points->evaluate(points, engine_limits(session_.options()), progress);
  if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
    const auto& lowered = side.points->lowered();
    report(lowered.system, lowered.words, lowered.notes, *failure, session_.diagnostics());
    return std::nullopt;
  }
  auto& table = std::get<analysis::ResultTable>(outcome);
  std::vector<const ResultColumn*> found;
  for (const auto& column : table.columns) {
    if (!column.varied) found.push_back(&column);
  }
  std::vector<std::vector<double>> values;
  for (const std::size_t at : columns_) {
    std::vector<double> column = std::visit(
        [](const auto& from) { return std::vector<double>(from.begin(), from.end()); }, found.at(at)->values);
    for (const std::size_t row : found.at(at)->missing) column[row] = std::numeric_limits<double>::quiet_NaN();
    values.push_back(std::move(column));
  }
  failed = std::move(table.failed);
  return values;
}

std::optional<StudySides::Values> StudySides::evaluate(std::span<const ColumnValues> points,
                                                       const std::function<void(std::size_t)>& progress) {
  Values values;
  auto first = evaluate(first_, points, values.failed_first, progress);
  if (!first) return std::nullopt;
  auto second = evaluate(second_, points, values.failed_second, progress);
  if (!second) return std::nullopt;
  values.first = std::move(*first);
  values.second = std::move(*second);
  return values;
}

frontend::ColumnInfo column_of(const analysis::Variable& variable) {
  return {variable.name, variable.labels.empty() ? variable.type : text_type(), variable.unit};
}

ir::Scalar cell_of(const analysis::Variable& variable, const ColumnValues& values, std::size_t row,
                   ResultTables& tables) {
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return ir::Scalar::of((*reals)[row]);
  const std::int64_t value = std::get<std::vector<std::int64_t>>(values)[row];
  if (!variable.labels.empty()) return tables.text(variable.labels.at(static_cast<std::size_t>(value)));
  if (std::holds_alternative<frontend::types::Bool>(variable.type->kind)) return ir::Scalar::of(value != 0);
  return ir::Scalar::of(value);
}

void report_failed_points(Session& session, const std::vector<FailedRows>& failed, std::size_t points,
                          const Side& side) {
  if (failed.empty()) return;
  auto& d =
      session.diagnostics().add(failed.front().kind(), {}, failed.front().message(), "", frontend::Severity::warning);
  d.notes.push_back(
      fmt::format("{} of {} points fail on the side {}", grouped(count_rows(failed)), grouped(points), side.name));
}

}  // namespace wave::cli
