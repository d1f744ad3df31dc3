// The verbs and options in CLI11's terms; verbs about many points have theirs in options/. See command_line.h.
#include "cli/command_line.h"

#include "cli/command_line_errors.h"
#include "cli/options/options.h"
#include "cli/version.h"
#include "frontend/source/diagnostics.h"

#include <map>

namespace wave::cli {
namespace {

const std::map<std::string, Format> batch_formats{{"json", Format::json}, {"csv", Format::csv}};
const std::map<std::string, Dump> batch_dumps{{"llvm", Dump::llvm}};
const std::map<std::string, Dump> dumps{{"ast", Dump::ast},
                                        {"typed", Dump::typed},
                                        {"system", Dump::system},
                                        {"schedule", Dump::schedule},
                                        {"llvm", Dump::llvm}};

// Everything that the parser fills in; only the verb that was named is used.
struct Commands {
  RunCommand run;
  BatchCommand batch;
  CheckCommand check;
  TestCommand test;
  FmtCommand fmt;
  DocCommand doc;
  ExplainCommand explain;
  CostCommand cost;
  CountCommand count;
  FlopsCommand flops;
  TraceCommand trace;
  SweepCommand sweep;
  MergeCommand merge;
  FitCommand fit;
  ValidateCommand validate;
  OptimizeCommand optimize;
  FindCommand find;
  CompareCommand compare;
  DiffCommand diff;
  ReportCommand report;
};

void declare_run(CLI::App& app, RunCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("run", "Evaluate a model and print its outputs");
  verb.add_option("FILE", command.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")
      ->type_name("")
      ->required();
  verb.add_option("--model", command.model, "Which model (default: the only one, or `main`)")->type_name("NAME");
  add_overrides(verb, command.overrides);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  verb.add_flag("--verbose", command.verbose, "Say how it was evaluated: engine, schedule, bound, quantum, error");
  verb.add_flag("--breakdown", command.breakdown, "Show where the time of every output goes");
  verb.add_flag("--unused", command.unused, "List the parameters that change no output, instead of evaluating");
  verb.add_option("--sensitivity", command.sensitivity, "How outputs answer to these parameters: net.L,Wg")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_samples(verb, command.samples, command.seed);
  add_choice(verb, "--dump", command.dump, dumps, "Print a stage of the compiler instead of evaluating");
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_batch(CLI::App& app, BatchCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("batch", "Evaluate a model for every row of a table of parameter values");
  verb.add_option("FILE", command.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")
      ->type_name("")
      ->required();
  verb.add_option("--columns", command.columns,
                  "A CSV file whose first line names parameters, with units: \"n,Wg [us]\"; - reads standard input")
      ->type_name("CSV")
      ->required();
  verb.add_option("--model", command.model, "Which model (default: the only one, or `main`)")->type_name("NAME");
  verb.add_option("--show", command.show,
                  "Only these outputs: total,parts (default: all that are single values or records)")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_overrides(verb, command.overrides);
  add_choice(verb, "--format", command.format, batch_formats, "How results are written (default csv)");
  add_output(verb, command.output, command.format);
  add_engine(verb, command.engine);
  verb.add_flag("--verbose", command.verbose, "Say how the rows were evaluated");
  add_choice(verb, "--dump", command.dump, batch_dumps, "Print the code of the batch instead of evaluating");
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_cost(CLI::App& app, CostCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("cost", "What a message costs on a machine, by size");
  verb.add_option("MACHINE", command.machine,
                  "std.machines.ibm_sp2.SP2, or file.wave:NAME; NAME may be left out where there is one")
      ->type_name("")
      ->required();
  verb.add_option("SIZES", command.sizes, "Sizes: \"8 B, 4 KiB\", or a list (default \"1 B..1 MiB by *2\")")
      ->type_name("");
  verb.add_flag("--local", command.local, "Between two processes of one node");
  add_overrides(verb, command.overrides);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void add_process_choice(CLI::App& verb, ProcessChoice& choice) {
  verb.add_option("FILE", choice.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")
      ->type_name("")
      ->required();
  verb.add_option("--model", choice.model, "Which model (default: the only one, or `main`)")->type_name("NAME");
  add_overrides(verb, choice.overrides);
}

void declare_count(CLI::App& app, CountCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("count", "Count the messages of a model's processes, to hold against a profile");
  add_process_choice(verb, command.of);
  verb.add_option("--process", command.of.process, "Which process (default: all of them)")->type_name("NAME");
  add_format(verb, command.format);
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_flops(CLI::App& app, FlopsCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("flops", "Explain what the `flops` blocks of a file count, statement by statement");
  verb.add_option("FILE", command.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")
      ->type_name("")
      ->required();
  verb.add_option("--model", command.model, "Only this model or machine (default: all of the file)")->type_name("NAME");
  add_overrides(verb, command.overrides);
  add_format(verb, command.format);
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_trace(CLI::App& app, TraceCommand& command, CommonOptions& common) {
  auto& verb =
      *app.add_subcommand("trace", "Write the timeline of a process on a small grid (for Perfetto), or its schedule");
  add_process_choice(verb, command.of);
  verb.add_option("--process", command.of.process, "Which process (default: the only one)")->type_name("NAME");
  verb.add_option("--ranks", command.ranks, "Which processors, by row-major rank from 0: 0-3,8 (default: all)")
      ->type_name("RANKS");
  verb.add_flag("--goal", command.goal, "Write a GOAL schedule for LogGOPSim instead");
  add_file(verb, "-o,--out,--output", command.output, {".json", ".goal", ".txt"},
           "Into this file: halo.json, halo.goal (default: standard output)");
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

CLI::App& declare_files_verb(CLI::App& app, const char* name, const char* description, std::vector<std::string>& files,
                             CommonOptions& common) {
  auto& verb = *app.add_subcommand(name, description);
  verb.add_option("FILE", files, ".wave files, or folders with such files; - reads standard input")
      ->type_name("")
      ->required();
  add_common(verb, common);
  return verb;
}

void declare_verbs(CLI::App& app, Commands& commands, CommonOptions& common) {
  declare_run(app, commands.run, common);
  declare_batch(app, commands.batch, common);
  auto& check = declare_files_verb(app, "check", "Report the errors of files without evaluating them",
                                   commands.check.files, common);
  add_search(check, common);
  add_limits(check, common);
  auto& test = declare_files_verb(app, "test", "Run the tests of files", commands.test.files, common);
  add_engine(test, commands.test.engine);
  add_search(test, common);
  add_limits(test, common);
  auto& format = declare_files_verb(app, "fmt", "Rewrite files in the usual layout", commands.fmt.files, common);
  format.add_flag("--check", commands.fmt.check, "Change nothing; name the files that would change and exit with 1");
  auto& doc = *app.add_subcommand("doc", "The documentation of a module, or a list of the library's modules");
  doc.add_option("MODULE", commands.doc.what,
                 "A .wave file, a module such as std.machines.ibm_sp2, one of its declarations (.SP2 after it), or std "
                 "(default: a list of modules)")
      ->type_name("");
  add_search(doc, common);
  add_common(doc, common);
  auto& explain = *app.add_subcommand("explain", "Explain a diagnostic, or list them all");
  explain.add_option("CODE", commands.explain.code, "E0123, say")->type_name("");
  add_common(explain, common);
  declare_cost(app, commands.cost, common);
  declare_count(app, commands.count, common);
  declare_flops(app, commands.flops, common);
  declare_trace(app, commands.trace, common);
  declare_sweep(app, commands.sweep, common);
  declare_merge(app, commands.merge, common);
  declare_fit(app, commands.fit, common);
  declare_validate(app, commands.validate, common);
  declare_optimize(app, commands.optimize, common);
  declare_find(app, commands.find, common);
  declare_compare(app, commands.compare, common);
  declare_diff(app, commands.diff, common);
  declare_report(app, commands.report, common);
}

std::string version_text() { return fmt::format("wave {}\n", version); }

constexpr const char* footer =
    "Exit codes: 0 done; 1 an error in the model, or a failed expectation; 2 wrong use; 3 a bug in wave.\n"
    "`wave VERB --help` says more about a verb.";

Command selected(const CLI::App& app, Commands& commands) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "run") return std::move(commands.run);
  if (name == "batch") return std::move(commands.batch);
  if (name == "check") return std::move(commands.check);
  if (name == "test") return std::move(commands.test);
  if (name == "fmt") return std::move(commands.fmt);
  if (name == "doc") return std::move(commands.doc);
  if (name == "explain") return std::move(commands.explain);
  if (name == "count") return std::move(commands.count);
  if (name == "flops") return std::move(commands.flops);
  if (name == "trace") return std::move(commands.trace);
  if (name == "sweep") return std::move(commands.sweep);
  if (name == "merge") return std::move(commands.merge);
  if (name == "fit") return std::move(commands.fit);
  if (name == "validate") return std::move(commands.validate);
  if (name == "optimize") return std::move(commands.optimize);
  if (name == "find") return std::move(commands.find);
  if (name == "compare") return std::move(commands.compare);
  if (name == "diff") return std::move(commands.diff);
  if (name == "report") return std::move(commands.report);
  return std::move(commands.cost);
}

// Known before everything else is, so that even a misuse is reported as asked for.
DiagnosticFormat wanted_diagnostics(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--diagnostics=json") return DiagnosticFormat::json;
    if (argument == "--diagnostics" && i + 1 < argc && std::string(argv[i + 1]) == "json")
      return DiagnosticFormat::json;
  }
  return DiagnosticFormat::text;
}

}  // namespace

std::variant<Request, Information, Misuse> parse_command_line(int argc, const char* const* argv) {
  CLI::App app{"Wave predicts how long parallel programs take.", "wave"};
  app.set_help_flag("-h,--help", "Show this");
  app.set_version_flag("--version", version_text());
  app.footer(footer);
  Commands commands;
  CommonOptions common;
  declare_verbs(app, commands, common);
  app.require_subcommand(0, 1);
  const auto misused = [&](Misuse m) {
    m.diagnostics = wanted_diagnostics(argc, argv);
    return m;
  };
  if (argc > 1 && std::string(argv[1]) == "help") {  // `wave help run` is `wave run --help`
    std::vector<const char*> turned(argv, argv + argc);
    turned.erase(turned.begin() + 1);
    turned.push_back("--help");
    return parse_command_line(argc, turned.data());
  }
  if (auto unknown = find_unknown_verb(app, argc, argv)) return misused(*unknown);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Information{app.help()};  // of the verb, where one was named
  } catch (const CLI::CallForVersion&) {
    return Information{version_text()};
  } catch (const CLI::ParseError& error) {
    return misused(explain(app, error));
  }
  if (app.get_subcommands().empty()) {
    return misused({"nothing was asked for",
                    fmt::format("the verbs are {}; `wave --help` says more", fmt::join(verb_names(app), ", "))});
  }
  return Request{std::move(common), selected(app, commands)};
}

}  // namespace wave::cli
