// `wave validate`: what a model predicts beside what was measured.
#include "cli/progress.h"
#include "cli/studies/validation_report.h"
#include "cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using analysis::Validation;
using frontend::DiagnosticKind;

// One error for the worst, with how many others there are.
void hold_each(Session& session, const MeasuredModel& measured, const Validation& found, double within) {
  std::size_t count = 0;
  for (const analysis::Pair& one : found.pairs)
    count += std::isfinite(one.predicted) && !(std::abs(one.error()) <= within) ? 1 : 0;
  if (count == 0) return;
  const std::size_t row = measured.data->configurations()[found.worst].rows.front();
  auto& d = session.diagnostics().add(
      DiagnosticKind::failed_validation, measured.data->measured_place(row),
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
  const auto place = [&](std::size_t i) {
    return measured.data->measured_place(measured.data->configurations()[i].rows.front());
  };
  const auto& worst = ranking.inversions.front();
  d.labels.push_back(
      {place(worst.first), fmt::format("predicted to be below the other by {}", percent(worst.predicted))});
  d.labels.push_back({place(worst.second), fmt::format("measured to be below it by {}", percent(worst.measured))});
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

analysis::Wanted wanted_of(frontend::Dimension dimension) {
  if (dimension == frontend::Dimension{1, 0, 0}) return analysis::Wanted::least;
  return dimension.time == -1 ? analysis::Wanted::largest : analysis::Wanted::unknown;
}

}  // namespace

int execute(const ValidateCommand& command, const CommonOptions& options, Console& console) {
  if (command.of.file == "-" && command.data.data == "-") {
    return report_misuse(console, "the model and the measurements cannot both come from standard input",
                         "name a file for one of them");
  }
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  auto measured = open_measured(session, command.of, command.data, {});
  if (!session.settle() || !measured) return failure;
  const auto predictions = [&] {
    ProgressLine line(console, "configurations", static_cast<double>(measured->data->configurations().size()));
    return predict(session, *measured, {}, [&](std::size_t now) { line.advance(static_cast<double>(now)); });
  }();
  if (!predictions) {
    session.settle();
    return failure;
  }
  report_failed(session, *measured, *predictions);
  std::vector<analysis::Pair> pairs;
  for (std::size_t i = 0; i < predictions->values.size(); ++i) {
    const auto& one = measured->data->configurations()[i];
    pairs.push_back({predictions->values[i], one.mean, one.deviation, one.rows.size()});
  }
  const Validation found = analysis::validate(std::move(pairs), wanted_of(measured->data->dimension()));
  hold(session, command, *measured, found);
  const bool clear = session.settle();
  const ValidationReport report{session, *measured, found};
  const std::string text = command.format == Format::json  ? render_validation_json(report)
                           : command.format == Format::csv ? render_validation_csv(report)
                                                           : render_validation_table(report);
  const int written = write_result(command.output, text, console);
  return clear ? written : failure;
}

}  // namespace wave::cli
