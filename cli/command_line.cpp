// The verbs and options in CLI11's terms; nothing else but command_line_errors.cpp includes CLI11. See command_line.h.
#include "cli/command_line.h"

#include "cli/command_line_errors.h"
#include "cli/measures.h"
#include "cli/version.h"
#include "frontend/source/diagnostics.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <map>

namespace wave::cli {
namespace {

const std::map<std::string, Format> formats{{"table", Format::table}, {"json", Format::json}, {"csv", Format::csv}};
const std::map<std::string, Format> batch_formats{{"json", Format::json}, {"csv", Format::csv}};
const std::map<std::string, Dump> batch_dumps{{"llvm", Dump::llvm}};
const std::map<std::string, EngineChoice> engines{{"interpreter", EngineChoice::interpreter},
                                                  {"jit", EngineChoice::jit},
                                                  {"auto", EngineChoice::automatic}};
const std::map<std::string, Dump> dumps{{"ast", Dump::ast},           {"typed", Dump::typed},
                                        {"system", Dump::system},     {"schedule", Dump::schedule},
                                        {"llvm", Dump::llvm}};
const std::map<std::string, ColourChoice> colours{{"auto", ColourChoice::automatic},
                                                  {"always", ColourChoice::always},
                                                  {"never", ColourChoice::never}};
const std::map<std::string, DiagnosticFormat> diagnostic_formats{{"text", DiagnosticFormat::text},
                                                                 {"json", DiagnosticFormat::json}};

template <class T>
std::vector<std::string> words_of(const std::map<std::string, T>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  return words;
}

constexpr int most_threads = 1024;

// An option that takes one of a few words; a mistyped one is answered with the nearest.
template <class T, class Target>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Target& target, const std::map<std::string, T>& choices,
                        const std::string& description) {
  const auto words = words_of(choices);
  const std::string listed = fmt::format("{}", fmt::join(words, "|"));
  const auto set = [&target, &choices, words, name](const CLI::results_t& given) {
    const auto found = choices.find(given.front());
    if (found == choices.end()) {
      const std::string near = frontend::nearest(given.front(), words);
      const std::string hint = near.empty() ? fmt::format("it takes one of {}", fmt::join(words, ", ")) : "did you mean `" + near + "`?";
      throw CLI::ValidationError(fmt::format("`{}` does not take `{}`\n{}", name, given.front(), hint));
    }
    target = found->second;
    return true;
  };
  return app.add_option(name, set, description)->type_name(listed)->expected(1)->take_last();
}

void add_common(CLI::App& app, CommonOptions& common) {
  add_choice(app, "--color", common.colour, colours, "Colours (auto: on a terminal, unless NO_COLOR is set)");
  add_choice(app, "--diagnostics", common.diagnostics, diagnostic_formats,
             "Diagnostics on standard error: for people, or one JSON object a line");
}

template <class Value, class Parse>
void add_measure(CLI::App& app, const std::string& name, Value& target, Parse parse, const std::string& example,
                 const std::string& description) {
  const auto set = [&target, parse, name, example](const CLI::results_t& given) {
    const auto value = parse(given.front());
    if (!value) {
      throw CLI::ValidationError(
          fmt::format("`{}` takes a positive amount with its unit, not `{}`\nfor example `{} {}`", name, given.front(), name, example));
    }
    target = *value;
    return true;
  };
  app.add_option(name, set, description)->type_name("AMOUNT")->expected(1)->take_last();
}

void add_limits(CLI::App& app, CommonOptions& common) {
  add_measure(app, "--time-limit", common.time_limit_seconds, parse_seconds, "90s",
              "Give up after this long: 500ms, 60s, 5min, none (default 60s)");
  add_measure(app, "--memory-limit", common.memory_limit, parse_bytes, "8GiB",
              "Give up rather than use more memory: 500MB, 8GiB (default 8GiB)");
}

void add_search(CLI::App& app, CommonOptions& common) {
  app.add_option("-I", common.search, "A further folder for modules and data files (also: WAVE_PATH)")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("-D", overrides, "Override a parameter: -D n=8, -D net.L=\"5 us\"")
      ->type_name("NAME=EXPR")
      ->allow_extra_args(false);
}

void add_threads(CLI::App& app, int& threads) {
  const auto set = [&threads](const CLI::results_t& given) {
    const std::string& text = given.front();
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most_threads) {
      throw CLI::ValidationError(fmt::format("`--threads` takes a number from 1 to {}, not `{}`\nleave it away for all that the machine has",
                                             most_threads, text));
    }
    threads = value;
    return true;
  };
  app.add_option("--threads", set, "How many threads evaluate (default: as many as the machine has); same results")
      ->type_name("N")->expected(1)->take_last();
}

// The options of every verb that evaluates.
void add_engine(CLI::App& app, EngineSettings& engine) {
  add_choice(app, "--engine", engine.choice, engines, "What evaluates (auto: the interpreter for small models); same results");
  add_threads(app, engine.threads);
  app.add_option("--cpu", engine.cpu, "Compile for this processor, by LLVM's name: x86-64-v3, skylake-avx512 (default: this one)")
      ->type_name("NAME");
  app.add_flag("--no-shortcuts", engine.no_shortcuts, "Evaluate every point, also where a proof makes that needless; same results");
  app.add_flag("--no-cache", engine.no_cache, "Neither use nor keep compiled code of other runs");
}

void add_format(CLI::App& app, Format& format) {
  add_choice(app, "--format", format, formats, "How results are written (json and csv in full precision)");
}

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
};

void declare_run(CLI::App& app, RunCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("run", "Evaluate a model and print its outputs");
  verb.add_option("FILE", command.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")->type_name("")->required();
  verb.add_option("--model", command.model, "Which model (default: the only one, or `main`)")->type_name("NAME");
  add_overrides(verb, command.overrides);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  verb.add_flag("--verbose", command.verbose, "Say how it was evaluated: engine, schedule, bound, quantum, error");
  verb.add_flag("--breakdown", command.breakdown, "Show where the time of every output goes");
  verb.add_option("--sensitivity", command.sensitivity, "How outputs answer to these parameters: net.L,Wg")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_choice(verb, "--dump", command.dump, dumps, "Print a stage of the compiler instead of evaluating");
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_batch(CLI::App& app, BatchCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("batch", "Evaluate a model for every row of a table of parameter values");
  verb.add_option("FILE", command.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")->type_name("")->required();
  verb.add_option("--columns", command.columns, "A CSV file whose first line names parameters, with units: \"n,Wg [us]\"; - reads standard input")
      ->type_name("CSV")->required();
  verb.add_option("--model", command.model, "Which model (default: the only one, or `main`)")->type_name("NAME");
  verb.add_option("--show", command.show, "Only these outputs: total,parts (default: all that are single values or records)")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_overrides(verb, command.overrides);
  add_choice(verb, "--format", command.format, batch_formats, "How results are written (default csv)");
  verb.add_option("-o,--output", command.output, "Into this file (default: standard output)")->type_name("FILE");
  add_engine(verb, command.engine);
  verb.add_flag("--verbose", command.verbose, "Say how the rows were evaluated");
  add_choice(verb, "--dump", command.dump, batch_dumps, "Print the code of the batch instead of evaluating");
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_cost(CLI::App& app, CostCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("cost", "What a message costs on a machine, by size");
  verb.add_option("MACHINE", command.machine, "std.machines.ibm_sp2.SP2, or file.wave:NAME; NAME may be left out where there is one")->type_name("")->required();
  verb.add_option("SIZES", command.sizes, "Sizes: \"8 B, 4 KiB\", or a list (default \"1 B..1 MiB by *2\")")->type_name("");
  verb.add_flag("--local", command.local, "Between two processes of one node");
  add_overrides(verb, command.overrides);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void add_process_choice(CLI::App& verb, ProcessChoice& choice) {
  verb.add_option("FILE", choice.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")->type_name("")->required();
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
  verb.add_option("FILE", command.file, "A .wave file, or a module such as std.applications.lu; - reads standard input")->type_name("")->required();
  verb.add_option("--model", command.model, "Only this model or machine (default: all of the file)")->type_name("NAME");
  add_overrides(verb, command.overrides);
  add_format(verb, command.format);
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

void declare_trace(CLI::App& app, TraceCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("trace", "Write the timeline of a process on a small grid (for Perfetto), or its schedule");
  add_process_choice(verb, command.of);
  verb.add_option("--process", command.of.process, "Which process (default: the only one)")->type_name("NAME");
  verb.add_option("--ranks", command.ranks, "Which processors, by row-major rank from 0: 0-3,8 (default: all)")->type_name("RANKS");
  verb.add_flag("--goal", command.goal, "Write a GOAL schedule for LogGOPSim instead");
  verb.add_option("-o,--output", command.output, "Into this file (default: standard output)")->type_name("FILE");
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

CLI::App& declare_files_verb(CLI::App& app, const char* name, const char* description, std::vector<std::string>& files,
                             CommonOptions& common) {
  auto& verb = *app.add_subcommand(name, description);
  verb.add_option("FILE", files, ".wave files, or folders with such files; - reads standard input")->type_name("")->required();
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
                 "A .wave file, a module such as std.machines.ibm_sp2, one of its declarations (.SP2 after it), or std (default: a list of modules)")
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
  return std::move(commands.cost);
}

// Known before everything else is, so that even a misuse is reported as asked for.
DiagnosticFormat wanted_diagnostics(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--diagnostics=json") return DiagnosticFormat::json;
    if (argument == "--diagnostics" && i + 1 < argc && std::string(argv[i + 1]) == "json") return DiagnosticFormat::json;
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
  if (argc > 1 && std::string(argv[1]) == "help") return Information{app.help()};
  if (auto unknown = find_unknown_verb(app, argc, argv)) return misused(*unknown);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Information{app.help()};    // of the verb, where one was named
  } catch (const CLI::CallForVersion&) {
    return Information{version_text()};
  } catch (const CLI::ParseError& error) {
    return misused(explain(app, error));
  }
  if (app.get_subcommands().empty()) {
    return misused({"nothing was asked for", fmt::format("the verbs are {}; `wave --help` says more", fmt::join(verb_names(app), ", "))});
  }
  return Request{std::move(common), selected(app, commands)};
}

}  // namespace wave::cli
