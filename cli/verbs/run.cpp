// `wave run`: evaluate a model and print its outputs, or print a stage of the compiler.
#include "backend/processes/bulk/plan_outline.h"
#include "cli/evaluation.h"
#include "cli/influence.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/samples.h"
#include "cli/session.h"
#include "cli/studies/result_document.h"
#include "cli/studies/sides.h"
#include "cli/verb.h"
#include "frontend/parse/parser.h"
#include "ir/printer.h"

#include <algorithm>
#include <optional>
#include <string>

namespace wave::cli {
namespace {

// The tree as it was read, or with its types.
std::string dump_tree(const frontend::Program& program, Dump stage) {
  return print(program.main(), stage == Dump::typed);
}

// What `--dump` asks for. Nothing, with a diagnostic, where it is not there (`llvm` without the JIT).
std::optional<std::string> dump_system(Session& session, const EngineSettings& settings, const ir::System& system,
                                       Dump stage) {
  switch (stage) {
    case Dump::ast:
    case Dump::typed: return dump_tree(session.program(), stage);
    case Dump::system: return ir::print(system);
    case Dump::schedule: return ir::print_schedule(system) + backend::processes::outline_plans(system);
    case Dump::llvm: break;
  }
  return dump_llvm(session, settings, system);
}

struct RunCommand {
  ModelChoice of;
  Format format;
  EngineSettings engine;
  bool verbose = false;
  bool breakdown = false;
  bool unused = false;                   // only the parameters that change nothing
  std::vector<std::string> sensitivity;  // paths of parameters
  analysis::StudySampling sampling;
  std::optional<Dump> dump;
};

const std::map<std::string, Dump> run_dumps{{"ast", Dump::ast},
                                            {"typed", Dump::typed},
                                            {"system", Dump::system},
                                            {"schedule", Dump::schedule},
                                            {"llvm", Dump::llvm}};

void declare(CLI::App& verb, RunCommand& command, CommonOptions& common) {
  add_model(verb, command.of, common);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_flag(verb, "--verbose", command.verbose, "Say how it was evaluated: engine, schedule, bound, quantum, error");
  add_flag(verb, "--breakdown", command.breakdown, "Show where the time of every output goes");
  add_flag(verb, "--unused", command.unused, "List the parameters that change no output, instead of evaluating");
  add_list(verb, "--sensitivity", command.sensitivity, "NAME,...", "How outputs respond to these parameters: net.L,Wg")
      .delimiter(',');
  add_sampling(verb, command.sampling);
  add_choice(verb, "--dump", command.dump, run_dumps, "Print a stage of the compiler instead of evaluating");
  add_search(verb, common);
}

int execute(const RunCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (!session.load(command.of.file)) return failure;
  if (command.dump == Dump::ast || command.dump == Dump::typed) {
    console.print(dump_tree(session.program(), *command.dump));
    return success;
  }
  const auto* model = choose_model(session, command.of.model);
  if (model == nullptr) {
    session.settle();
    return failure;
  }
  const auto overrides = check_overrides(session, *model, command.of.overrides);
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
    write_document(list_unused(lowered), command.format, "", console);
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
  for (const auto& one : command.of.overrides) {
    const Given given = split_given(one);
    results.given.emplace_back(given.path, given.expression);
  }
  const ExplainedModel explained{command.of.overrides, command.engine};
  add_breakdowns(session, *model, explained, command.breakdown, results);
  if (!command.sensitivity.empty()) add_sensitivities(session, *model, explained, command.sensitivity, results);
  const SampledModel sampled{command.of.overrides, command.engine, command.sampling, command.format};
  const bool is_sampled = command.sampling.samples == 0 || add_samples(session, *model, sampled, results);
  warn_of_what_is_not_compiled(session, command.engine, results.reports);
  warn_of_fractional_sizes(session, lowered, results.reports);
  const bool clear = session.settle();
  write_document(document_of(results), command.format, "", console);
  if (command.verbose && command.format->takes != Takes::data) console.remark(render_reports(results));
  return clear && all_lowered && is_sampled ? success : failure;
}

}  // namespace

Verb run_verb() {
  return make_verb<RunCommand>("run", "Evaluate a model and print its outputs",
                               {{"Print what a model predicts", "wave run examples/sweep3d/sweep3d.wave"},
                                {"Change its parameters, and one of its machine",
                                 "wave run examples/sweep3d/sweep3d.wave -D n=16 -D \"net.L=10 us\""},
                                {"Show where the time goes", "wave run examples/sweep3d/sweep3d.wave --breakdown"}},
                               declare, execute);
}

}  // namespace wave::cli
