// `wave fit FILE --data CSV --params ...`: parameters of a model from measured run times.
#include "backend/engine.h"
#include "cli/client.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/studies/fit_reports.h"
#include "cli/studies/measured_model.h"
#include "cli/verbs/fit.h"
#include "frontend/check/modules.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

// Where the fitted model goes: a file that is another than the model's, unless that is asked for. Nothing, reported,
// where that cannot be; empty where it goes nowhere.
std::optional<std::string> place_of_fitted(const Fitting& command, const CommonOptions& options, Console& console) {
  const std::string& file = command.files.front();
  const auto model = file == "-" ? std::nullopt : frontend::find_module(file, search_path(options));
  const bool is_own = model && !model->is_standard;
  if (!command.of_model.in_place) {
    if (command.output.empty() || !is_own || !frontend::written_files().contains(model->path)) return command.output;
    report_misuse(console, fmt::format("`-o {}` would replace the model that is read", command.output),
                  "name another file, or say `--in-place` instead");
    return std::nullopt;
  }
  if (!command.output.empty()) {
    report_misuse(console, fmt::format("`--in-place` and `-o {}` are two places", command.output), "give one of them");
    return std::nullopt;
  }
  if (is_own) return model->path;
  report_misuse(console, fmt::format("`--in-place` needs a model in a file, and `{}` is none", file),
                "`-o fitted.wave` writes to another file");
  return std::nullopt;
}

std::optional<int> find_misuse(const Fitting& command, Console& console) {
  const ModelFit& asked = command.of_model;
  if (command.files.size() != 1)
    return report_misuse(console, "one model is fitted at a time",
                         "wave fit model.wave --data measured.csv --params Wg,net.L");
  if (asked.params.empty())
    return report_misuse(console, "`--params` says which parameters are fitted", "for example `--params Wg,net.L`");
  if (command.files.front() == "-" && asked.data.data == "-") {
    return report_misuse(console, "the model and the measurements cannot both come from standard input",
                         "name a file for one of them");
  }
  return std::nullopt;
}

std::optional<analysis::OpenFit> open_fit(Session& session, const ModelFit& asked) {
  const auto* model = choose_model(session, asked.of.model);
  if (model == nullptr) return std::nullopt;
  const auto question = measured_question(session, asked.of, asked.data);
  if (!question) return std::nullopt;
  return open_fit(given_model(session, asked.of, *model), *question, asked, session.diagnostics());
}

}  // namespace

int fit_model(const Fitting& command, const CommonOptions& options, Console& console) {
  if (const auto wrong = find_misuse(command, console)) return *wrong;
  const ModelFit& asked = command.of_model;
  const auto output = place_of_fitted(command, options, console);
  if (!output) return misuse;
  Session session(console, options);
  if (!session.load(command.files.front())) return failure;
  auto open = open_fit(session, asked);
  if (!session.settle() || !open) return failure;
  Interrupt interrupt(console, "\nstopped before a first step\n");
  backend::Limits limits = engine_limits(options);
  limits.stop = &interrupt.flag();
  frontend::Diagnostics of_run;
  const auto fit = run_fit(*open, limits, of_run, [&](const analysis::FitProgress& progress) {
    if (console.client()) console.client()->advance(static_cast<double>(progress.predictions), 0);
    console.status(fmt::format("{} predictions{}{}", grouped(progress.predictions), progress.best.empty() ? "" : "; ",
                               progress.best));
  });
  console.status("");
  const std::string kept = fit ? "what follows is the best so far" : "no step was made until then";
  if (!fit && interrupt.pressed()) return interrupt.report_end(console, "the fit", kept);
  // That an evaluation was interrupted is no error of it.
  if (!interrupt.pressed()) {
    for (const auto& one : of_run.all()) session.diagnostics().add(one.kind, {}, one.message) = one;
  }
  if (!fit) {
    session.settle();
    return failure;
  }
  const ModelFitReport report{session, *open, *fit};
  warn_of_fit(*open, *fit, session.diagnostics());
  std::optional<std::string> rewritten;
  if (!output->empty() && !fit->stopped) rewritten = rewrite_model(report, session.diagnostics());
  const bool clear = session.settle();
  write_document(document_of(report), asked.format, "", console);
  if (interrupt.pressed()) return interrupt.report_end(console, "the fit", kept);
  if (!clear) return failure;
  return rewritten ? write_result(*output, *rewritten, console) : success;
}

}  // namespace wave::cli
