// `wave fit`: the first word decides whether a machine is fitted or a model.
#include "cli/verbs/fit.h"

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/machine_text.h"
#include "analysis/machine_fit/replay.h"
#include "analysis/machine_fit/timings.h"
#include "cli/embedded.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/session.h"
#include "cli/studies/fit_reports.h"
#include "cli/verb.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

namespace fit = analysis::machine_fit;

int write_machine(const Fitting& command, const CommonOptions& options, Console& console, const std::string& text) {
  // Whoever imports it must be able to rely on it.
  Session check(console, options);
  if (!check.load(command.output, text)) return internal_error;
  return write_result(command.output, text, console);
}

// What the options of machines and of models have in common.
fit::MachineQuestion question_of(const Fitting& command) {
  fit::MachineQuestion question = command;
  question.is_absolute = command.of_model.errors == ErrorKind::absolute;
  question.confidence = command.of_model.confidence;
  question.reading = command.of_model.data.reading;
  return question;
}

// False, reported, where a file cannot be read.
bool read_files(const fit::MachineQuestion& question, frontend::Sources& sources, fit::Timings& timings,
                Console& console) {
  frontend::Diagnostics diagnostics;
  for (std::size_t i = 1; i < question.files.size(); ++i) {
    const std::string& file = question.files[i];
    auto text = read_text(console.client(), file, diagnostics);
    if (!text) continue;
    const std::string name = file == "-" ? standard_input_name : file;
    fit::read_benchmark(question, i, name, std::move(*text), sources, timings, diagnostics);
  }
  return console.report(sources, diagnostics);
}

// `wave fit ... --explain`: the files as they are read.
int explain_tables(const fit::Timings& timings, const frontend::Sources& sources,
                   const frontend::Diagnostics& diagnostics, int status, Console& console) {
  std::string page;
  for (std::uint32_t file = 0; file < sources.size(); ++file) page += fit::explanation(timings, file, sources) + "\n";
  for (const auto& remark : timings.remarks) page += fmt::format("note: {}\n", sanitize(remark));
  console.print(page, Printed::data);
  return console.report(sources, diagnostics) ? status : failure;
}

// `wave fit auto|osu|imb|netgauge|nccl|csv FILE...`: a machine from benchmarks.
int fit_machine(const Fitting& command, const CommonOptions& options, Console& console) {
  const fit::MachineQuestion question = question_of(command);
  const auto refuse = [&](const fit::WrongQuestion& wrong) {
    return report_misuse(console, wrong.message, wrong.help);
  };
  fit::FitPlan plan;
  if (const auto wrong = fit::read_question(question, plan)) return refuse(*wrong);
  frontend::Sources sources;
  fit::Timings timings;
  frontend::Diagnostics unfit;
  if (!read_files(question, sources, timings, console))
    return command.explain ? explain_tables(timings, sources, unfit, failure, console) : failure;
  if (const auto wrong = fit::keep_asked(question, plan, sources, timings, unfit)) return refuse(*wrong);
  if (command.explain) return explain_tables(timings, sources, unfit, success, console);
  if (!console.report(sources, unfit)) return failure;
  if (fit::has_interfaces(timings)) {
    if (const auto wrong = fit::check_options_of_pairs(question)) return refuse(*wrong);
    const auto provenance = fit::provenance_of(question, timings, sources, version);
    const auto text = fit_interfaces(command, timings, provenance, sources, console);
    if (!text) return failure;
    return command.output.empty() ? success : write_machine(command, options, console, *text);
  }
  frontend::Diagnostics diagnostics;
  const auto found = fit::fit_asked(question, std::move(plan), timings, sources, diagnostics);
  if (!console.report(sources, diagnostics) || !found) return failure;

  const auto provenance = fit::provenance_of(question, timings, sources, version);
  const std::string text = fit::machine_text(*found, provenance);
  const fit::Replay replay = fit::replay({text, provenance.name}, *found, timings);
  const FitReport report{
      *found, replay, question.files.front(), {command.files.begin() + 1, command.files.end()}, timings.remarks,
      text,   sources};
  write_document(document_of(report), command.of_model.format, "", console);
  return command.output.empty() ? success : write_machine(command, options, console, text);
}

using analysis::least_confidence, analysis::most_confidence;
const std::map<std::string, ErrorKind> errors{{"relative", ErrorKind::relative}, {"absolute", ErrorKind::absolute}};

void add_confidence(CLI::App& verb, double& confidence) {
  const auto read = [&confidence](const std::string& text) {
    const auto value = parse_share(text);
    if (!value || !(*value >= least_confidence && *value <= most_confidence))
      refuse(fmt::format("`--confidence` takes a probability from {} to {}, not `{}`", least_confidence,
                         most_confidence, text),
             "for example `--confidence 0.95`");
    confidence = *value;
  };
  add_read(verb, "--confidence", read, "P", "How probably an interval holds the true value (default 0.95)");
}

void declare_machine(CLI::App& verb, Fitting& command) {
  add_text(verb, "--name", command.name, "NAME", "Of the machine (default: after the file)");
  add_text(verb, "--protocol", command.protocols, "KIND,...",
           "What the segments are, by size: --protocol eager,eager,rendezvous (default: found)");
  add_whole(verb, "--segments", command.segments, {1, fit::most_segments},
            "How many protocols there are, by size (default: found by a criterion)",
            "leave it out to have as many as a criterion finds");
  add_list(verb, "--assume", command.assumptions, "NAME=TIME",
           "A parameter that the data do not tell from others: --assume o=1.2us, L=..., o_1=...");
  add_numbers(verb, "--processes", command.processes,
              "Of collective operations, for each file or table that does not say: --processes 4,8,16");
  add_to_following(verb, "--within", command.within, "FILE", "LEVEL",
                   "What both ends of each message share, in the files that follow: --within socket FILE --within node "
                   "FILE FILE; with commas, in each table of a file");
  add_numbers(verb, "--pairs", command.pairs,
              "How many pairs exchanged at once, where a table does not say; else only times of so many: --pairs 1,16");
  add_numbers(verb, "--tables", command.tables, "Only these tables, as --explain numbers them: --tables 1,3");
  add_flag(verb, "--explain", command.explain, "Show the files as they are read, table by table, and fit nothing");
  add_text(verb, "--operation", command.operation, "NAME",
           "Which collective operation a table with commas is of: broadcast, allreduce, ...");
  add_text(verb, "--sizes", command.sizes, "FROM..TO", "Only messages of these sizes: --sizes \"1 KiB..64 KiB\"");
  add_flag(verb, "--keep-outliers", command.keep_outliers, "Leave no measurement out, however far off it is");
}

void declare_model(CLI::App& verb, ModelFit& fit, CommonOptions& common) {
  add_model_name(verb, fit.of.model);
  add_measurements(verb, fit.data, false);
  add_list(verb, "--params", fit.params, "NAME,...",
           "The parameters to fit: --params Wg,net.L; they start at their defaults, or at what -D says")
      .delimiter(',');
  add_list(verb, "--bounds", fit.bounds, "NAME=RANGE",
           "Between what: --bounds \"Wg=0.1us..2us\" (default: the range that the model declares)");
  add_choice(verb, "--errors", fit.errors, errors,
             "The errors whose squares are to be small: relative ones, or errors as they are (default relative)");
  add_flag(verb, "--in-place", fit.in_place, "Write the fitted values into the file of the model itself");
  add_flag(verb, "--robust", fit.robust, "Let measurements that are far off count less, or not at all");
  add_whole(verb, "--starts", fit.starts, {1, analysis::most_starts},
            "From how many points the best is looked for (default 8, of one parameter 3)");
  add_measured_output(verb, fit.of.show);
  add_overrides(verb, fit.of.overrides, common);
  add_engine(verb, fit.of.engine);
}

void declare(CLI::App& verb, Fitting& command, CommonOptions& common) {
  add_rest(verb, "FILE", command.files,
           "auto|osu|imb|netgauge|nccl|csv and files of that kind; or a model, for which --data is given")
      .required();
  add_file(verb, "-o,--out,--output", command.output, {".wave"},
           "Write the machine, or the model with its fitted values, into this file");
  declare_machine(verb, command);
  add_confidence(verb, command.of_model.confidence);
  add_format(verb, command.of_model.format);
  declare_model(verb, command.of_model, common);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

int execute(const Fitting& command, const CommonOptions& options, Console& console) {
  if (!command.of_model.data.data.empty()) return fit_model(command, options, console);
  if (command.of_model.in_place) {
    return report_misuse(console, "`--in-place` is for a model that is fitted with `--data`",
                         "`-o machine.wave` writes a machine");
  }
  const bool machine = fit::is_kind_of_benchmark(command.files.front());
  watch_given_limit();  // there is no model
  if (machine) return fit_machine(command, options, console);
  return report_misuse(
      console, fmt::format("`{}` is neither a kind of benchmark nor a model with `--data`", command.files.front()),
      fmt::format(
          "a machine: `wave fit {} FILE... -o machine.wave`; a model: `wave fit FILE --data measured.csv --params "
          "...`",
          fit::kinds_of_benchmarks));
}

}  // namespace

Verb fit_verb() {
  return make_verb<Fitting>(
      "fit", "Fit a machine to benchmarks, or parameters of a model to measurements",
      {{"Fit a machine to the output of a benchmark", "wave fit osu examples/sweep3d/osu_latency.txt -o cluster.wave"},
       {"Fit two parameters of a model to measured run times",
        "wave fit examples/sweep3d/weak_scaling.wave --data examples/sweep3d/cray_xe6.csv --params on_one,step"}},
      declare, execute);
}

}  // namespace wave::cli
