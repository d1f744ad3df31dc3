// See reduced_results.h.
#include "cli/studies/reduced_results.h"

#include "cli/files.h"
#include "cli/formats/readable.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/studies/result_files.h"
#include "cli/studies/study_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace wave::cli {
namespace {

using analysis::Journal;
using analysis::ReducedStudy;
using analysis::ReducedTable;
using frontend::DiagnosticKind;

// "1 000 points, of which 20 failed; `--where` left out 24".
std::string account_of(const ReducedStudy& reduced) {
  std::string text = plural(reduced.study().points, "point");
  if (reduced.failed() > 0) text += fmt::format(", of which {} failed", grouped(reduced.failed()));
  if (reduced.left_out() > 0) text += fmt::format("; `--where` left out {}", grouped(reduced.left_out()));
  return text;
}

std::string without_value(const ReducedTable& table) {
  return fmt::format(
      "`{}`: {} no value for it", table.name,
      table.without_value == 1 ? "1 point has" : fmt::format("{} points have", grouped(table.without_value)));
}

// How many points each reduction has counted, and how many had no value for it.
analysis::RowTable account_table(const std::vector<ReducedTable>& answers) {
  using analysis::count_type;
  analysis::RowTable table{
      "reductions",
      "",
      {{"reduction", analysis::text_type(), {}}, {"counted", count_type(), {}}, {"without_value", count_type(), {}}},
      {}};
  for (const ReducedTable& one : answers)
    table.rows.push_back(
        {one.name, static_cast<std::int64_t>(one.counted), static_cast<std::int64_t>(one.without_value)});
  return table;
}

Passages page_of(const ReducedStudy& reduced, const std::vector<ReducedTable>& answers,
                 const std::vector<OutputTable>& tables) {
  Passages page{{account_of(reduced) + "\n"}};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    page.push_back({fmt::format("\n{}\n", tables[i].name), readable(tables[i], table_digits, most_table_rows), "  "});
    if (tables[i].rows > most_table_rows)
      page.push_back(
          {fmt::format("  ... and {} more; `--out` takes them all\n", grouped(tables[i].rows - most_table_rows))});
    if (answers[i].without_value > 0) page.push_back({without_value(answers[i]) + "\n"});
  }
  return page;
}

OutputTable output_of(const ReducedTable& answer) {
  OutputTable table;
  table.name = answer.name;
  table.rows = answer.rows;
  for (const auto& one : answer.columns) table.columns.push_back({one.column, "", one.cells, {}});
  return table;
}

std::string text_of_state(const Journal& part) { return part.state().value_or(std::string()); }

}  // namespace

void check_reductions(Session& session, const analysis::StudyDescription& study) {
  if (study.reductions.empty()) return;
  const auto made = ReducedStudy::make(study);
  if (const auto* trouble = std::get_if<analysis::StudyReductionTrouble>(&made))
    report(*trouble, study, session.program().sources, session.diagnostics());
}

Document document_of(const ReducedStudy& reduced) {
  Document document = document_about(reduced.study());
  document.add_about("left_out", reduced.left_out());
  document.add_about("failed", reduced.failed());
  auto answers = reduced.tables();
  for (const auto& one : answers) document.tables.push_back(output_of(one));
  document.shape = answers.size() == 1 ? Document::Shape::rows : Document::Shape::outputs;
  for (auto table : {row_table(account_table(answers)), row_table(failures_table(reduced.failures()))}) {
    table.is_beside = true;
    document.tables.push_back(std::move(table));
  }
  if (reduced.left_out() > 0) {
    document.says.push_back(fmt::format("`--where` left out {} of {} points", grouped(reduced.left_out()),
                                        grouped(reduced.left_out() + reduced.study().points)));
  }
  for (const auto& one : answers) {
    if (one.without_value > 0) document.says.push_back(without_value(one));
  }
  document.page = [&reduced, answers](const auto& tables) { return page_of(reduced, answers, tables); };
  return document;
}

int deliver_reduced(Console& console, const ReducedStudy& reduced, const std::string& output, Format format) {
  const int code = write_document(document_of(reduced), format, output, console);
  if (code != success) return code;
  report_failures(console, reduced.study(), reduced.failures(), reduced.failed(), reduced.study().points);
  return reduced.failed() == 0 ? success : failure;
}

int report_reduced(Console& console, const std::string& trouble, const std::string& help) {
  return report_without_location(console, DiagnosticKind::wrong_study, trouble, help);
}

int write_part(Console& console, const ReducedStudy& reduced, const std::string& output) {
  const std::string path = journal_of(output);
  auto opened = Journal::open(path, reduced.study(), {}, Journal::Opening::restart);
  if (const auto* trouble = std::get_if<analysis::JournalTrouble>(&opened)) {
    report(console, path, *trouble);
    return failure;
  }
  auto& journal = *std::get<std::unique_ptr<Journal>>(opened);
  std::string trouble = journal.keep_state(reduced.encode());
  if (trouble.empty()) trouble = journal.finish();
  const int error = trouble.empty() ? put_in_place(path, output) : 0;
  if (error != 0) trouble = std::strerror(error);
  if (trouble.empty()) return success;
  return report_without_location(console, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", output),
                                 trouble);
}

std::unique_ptr<ReducedStudy> merged_parts(const std::vector<const Journal*>& parts, Console& console) {
  auto made = ReducedStudy::make(parts.front()->study());
  auto* const whole = std::get_if<std::unique_ptr<ReducedStudy>>(&made);
  std::string trouble = whole != nullptr ? "" : "its reductions cannot be read";
  const Journal* wrong = parts.front();
  for (const Journal* part : parts) {
    if (!trouble.empty()) break;
    wrong = part;
    const bool is_first = part == parts.front();
    if (!is_first)
      trouble = (*whole)->merge(text_of_state(*part));
    else if (!(*whole)->decode(text_of_state(*part)))
      trouble = "its state cannot be read";
    if (trouble.empty()) trouble = (*whole)->trouble();
  }
  if (trouble.empty()) trouble = (*whole)->inconsistency();
  if (trouble.empty()) return std::move(*whole);
  report_without_location(console, DiagnosticKind::parts_do_not_fit,
                          fmt::format("`{}` cannot be merged with the others", wrong->path()), trouble);
  return nullptr;
}

}  // namespace wave::cli
