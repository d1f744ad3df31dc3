// `wave run`: evaluate a model and print its outputs, or print a stage of the compiler.
#include "cli/dump.h"
#include "cli/evaluation.h"
#include "cli/samples.h"
#include "cli/studies/result_document.h"
#include "cli/studies/sides.h"
#include "cli/unused.h"
#include "cli/verbs.h"
#include "cli/where_time_goes.h"

#include <algorithm>

namespace wave::cli {

int execute(const RunCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load(command.file)) return failure;
  if (command.dump == Dump::ast || command.dump == Dump::typed) {
    console.print(dump_tree(session.program(), *command.dump));
    return success;
  }
  const auto* model = choose_model(session, command.model);
  if (model == nullptr) {
    session.settle();
    return failure;
  }
  const auto overrides = check_overrides(session, *model, command.overrides);
  if (!session.settle()) return failure;
  const auto lowered = lower_model(session.program(), *model, overrides, session.diagnostics());
  // An output in error does not keep the others from being shown.
  const bool some_failed = std::any_of(lowered.outputs.begin(), lowered.outputs.end(),
                                       [](const auto& output) { return output.failed.has_value(); });
  const bool all_lowered = session.settle();
  if (!all_lowered && (!some_failed || command.dump)) return failure;
  if (command.dump) {
    const auto text = dump_system(session, command.engine, lowered.system, *command.dump);
    console.print(text.value_or(""));
    return session.settle() ? success : failure;
  }
  if (command.unused && !all_lowered) return failure;
  if (command.unused) {
    console.print(list_unused(lowered, command.format));
    return success;
  }
  if (all_lowered) remark_on_unused(console, lowered);
  const auto engine = open_engine(session, command.engine, lowered.system);
  if (engine == nullptr) {
    session.settle();
    return failure;
  }
  Results results = evaluate_outputs(session, command.engine, lowered, *engine, command.verbose);
  results.model = model->name.text;
  results.text = text_digest(session.program());
  for (const auto& one : command.overrides) {
    const Given given = split_given(one);
    results.given.emplace_back(given.path, given.expression);
  }
  ResultTables tables(results);
  add_breakdowns(session, *model, command, results, tables);
  if (!command.sensitivity.empty()) add_sensitivities(session, *model, command, tables);
  const bool is_sampled = !command.samples || add_samples(session, *model, command, results, tables);
  warn_of_fallbacks(session, command.engine, results.fallbacks);
  const bool clear = session.settle();
  console.print(render(results, command.format));
  if (command.verbose && command.format != Format::json) console.remark(render_reports(results));
  return clear && all_lowered && is_sampled ? success : failure;
}

}  // namespace wave::cli
