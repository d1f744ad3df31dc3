// `wave validate`: what a model predicts beside what was measured.
#include "cli/formats/document.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/studies/fit_reports.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::cli {
namespace {

using analysis::Validation;
using frontend::DiagnosticKind;

struct ValidateCommand {
  StudyChoice of;
  Measurements data;
  std::optional<double> within;       // the largest error that is taken: 0.1
  std::optional<double> mean_within;  // and of their mean
  bool same_ranking = false;          // the ranking has to be right
  Format format;
  std::string output;  // empty: standard output
};

void declare(CLI::App& verb, ValidateCommand& command, CommonOptions& common) {
  constexpr double most = 1e6;
  add_model_file(verb, command.of.file);
  add_model_name(verb, command.of.model);
  add_measurements(verb, command.data, true);
  add_measured_output(verb, command.of.show);
  add_share(verb, "--within", command.within, most,
            "Fail (exit code 1) where a prediction is off by more: --within 10%");
  add_share(verb, "--mean-within", command.mean_within, most, "Fail where predictions are off by more on average");
  add_flag(verb, "--same-ranking", command.same_ranking, "Fail where configurations are not ranked as measured");
  add_format(verb, command.format);
  add_output(verb, command.output, command.format);
  add_overrides(verb, command.of.overrides, common);
  add_engine(verb, command.of.engine);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

// One error for the worst, with how many others there are.
void hold_each(Session& session, const MeasuredModel& measured, const Validation& found, double within) {
  std::size_t count = 0;
  for (const analysis::Pair& one : found.pairs)
    count += std::isfinite(one.predicted) && !(std::abs(one.error()) <= within) ? 1 : 0;
  if (count == 0) return;
  const std::size_t row = measured.data->configurations()[found.worst].rows.front();
  auto& d = session.diagnostics().add(
      DiagnosticKind::failed_validation, measured.data->measured_location(row),
      fmt::format("a prediction is off by {}, more than {}", percent(found.largest), percent(within)),
      fmt::format("predicted is {}", format_quantity(found.pairs[found.worst].predicted, measured.data->dimension(),
                                                     measured.data->unit(), 5)));
  if (count > 1) d.notes.push_back(fmt::format("so are {} others", grouped(count - 1)));
}

void hold_ranking(Session& session, const MeasuredModel& measured, const Validation& found) {
  const auto& ranking = found.ranking;
  if (!found.has_ranking || ranking.right == ranking.distinguished) return;
  auto& d = session.diagnostics().add(
      DiagnosticKind::failed_validation, {},
      fmt::format("{} of {} pairs of configurations are not ranked as measured",
                  grouped(ranking.distinguished - ranking.right), grouped(ranking.distinguished)));
  if (ranking.inversions.empty()) return;
  const auto location = [&](std::size_t i) {
    return measured.data->measured_location(measured.data->configurations()[i].rows.front());
  };
  const auto& worst = ranking.inversions.front();
  d.labels.push_back(
      {location(worst.first), fmt::format("predicted to be below the other by {}", percent(worst.predicted))});
  d.labels.push_back({location(worst.second), fmt::format("measured to be below it by {}", percent(worst.measured))});
}

void hold(Session& session, const ValidateCommand& command, const MeasuredModel& measured, const Validation& found) {
  if (found.compared == 0) return;
  if (command.within) hold_each(session, measured, found, *command.within);
  if (command.mean_within && !(found.mean_error <= *command.mean_within)) {
    session.diagnostics().add(DiagnosticKind::failed_validation, measured.data->heading(),
                              fmt::format("predictions are off by {} on average, more than {}",
                                          percent(found.mean_error), percent(*command.mean_within)),
                              "these measurements");
  }
  if (command.same_ranking) hold_ranking(session, measured, found);
}

int execute(const ValidateCommand& command, const CommonOptions& options, Console& console) {
  if (command.of.file == "-" && command.data.data == "-") {
    return report_misuse(console, "the model and the measurements cannot both come from standard input",
                         "name a file for one of them");
  }
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  auto measured = open_measured(session, command.of, command.data);
  if (!session.settle() || !measured) return failure;
  watch_given_limit();
  const auto predictions = [&] {
    ProgressLine line(console, "configurations", static_cast<double>(measured->data->configurations().size()));
    return predict(*measured, {}, engine_limits(options), session.diagnostics(),
                   [&](std::size_t now) { line.advance(static_cast<double>(now)); });
  }();
  if (!predictions) {
    session.settle();
    return failure;
  }
  report_failed(*measured, *predictions, session.diagnostics());
  const Validation found = validate(*measured, *predictions, analysis::wanted_of(measured->data->dimension()));
  hold(session, command, *measured, found);
  const bool clear = session.settle();
  const ValidationReport report{session, *measured, found};
  const int written = write_document(document_of(report), command.format, command.output, console);
  return clear ? written : failure;
}

}  // namespace

Verb validate_verb() {
  return make_verb<ValidateCommand>(
      "validate", "Compare the predictions of a model with measurements",
      {{"Compare predictions with measurements",
        "wave validate examples/sweep3d/reference.wave --data examples/sweep3d/reference.csv -D \"Wg=1.25 us\""},
       {"Fail where a prediction is off by more than 5 %",
        "wave validate examples/sweep3d/reference.wave --data examples/sweep3d/reference.csv -D \"Wg=1.25 us\" --where "
        "\"cells == 150\" --within 5%"}},
      declare, execute);
}

}  // namespace wave::cli
