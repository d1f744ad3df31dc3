// `wave fit`: the first word decides whether a machine is fitted or a model.
#include "cli/verbs/fit.h"

#include "analysis/machine_fit/timings.h"
#include "cli/option_words.h"
#include "cli/verb.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

constexpr double least_confidence = 0.5, most_confidence = 0.9999;
constexpr int most_segments = 20, most_starts = 1000;
const std::map<std::string, Minimize> losses{{"relative", Minimize::relative}, {"absolute", Minimize::absolute}};

void add_confidence(CLI::App& verb, double& confidence) {
  const auto read = [&confidence](const std::string& text) {
    const auto value = parse_share(text);
    if (!value || !(*value >= least_confidence && *value <= most_confidence))
      throw refusal(fmt::format("`--confidence` takes a probability from {} to {}, not `{}`", least_confidence,
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
  add_whole(verb, "--segments", command.segments, {1, most_segments},
            "How many protocols there are, by size (default: found by a criterion)",
            "leave it out to have as many as a criterion finds");
  add_list(verb, "--assume", command.assumptions, "NAME=TIME",
           "A parameter that the data do not tell from others: --assume o=1.2us, L=..., o_1=...");
  verb.add_option("--processes", command.processes,
                  "Of collective operations, for each file that does not say: --processes 4,8,16")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_text(verb, "--operation", command.operation, "NAME",
           "Which collective operation a table with commas is of: broadcast, allreduce, ...");
  add_text(verb, "--sizes", command.sizes, "FROM..TO", "Only messages of these sizes: --sizes \"1 KiB..64 KiB\"");
  verb.add_flag("--keep-outliers", command.keep_outliers, "Leave no measurement out, however far off it is");
}

void declare_model(CLI::App& verb, ModelFit& fit) {
  add_model_name(verb, fit.of.model);
  add_measurements(verb, fit.data, false);
  add_list(verb, "--params", fit.params, "NAME,...",
           "The parameters to fit: --params Wg,net.L; they start at their defaults, or at what -D says")
      ->delimiter(',');
  add_list(verb, "--bounds", fit.bounds, "NAME=RANGE",
           "Between what: --bounds \"Wg=0.1us..2us\" (default: the range that the model declares)");
  add_choice(verb, "--minimize", fit.minimize, losses,
             "Whose squares: of relative errors, or of errors as they are (default relative)");
  verb.add_flag("--in-place", fit.in_place, "Write the fitted values into the file of the model itself");
  verb.add_flag("--robust", fit.robust, "Let measurements that are far off count less, or not at all");
  add_whole(verb, "--starts", fit.starts, {1, most_starts}, "From how many points the best is looked for (default 8)");
  add_measured_output(verb, fit.of.show);
  add_overrides(verb, fit.of.overrides);
  add_engine(verb, fit.of.engine);
}

void declare(CLI::App& verb, Fitting& command, CommonOptions& common) {
  verb.add_option("FILE", command.files,
                  "osu|imb|netgauge|csv and files of that kind; or a model, for which --data is given")
      ->type_name("")
      ->required();
  add_file(verb, "-o,--out,--output", command.output, {".wave"},
           "Write the machine, or the model with its fitted values, into this file");
  declare_machine(verb, command);
  add_confidence(verb, command.of_model.confidence);
  add_format(verb, command.of_model.format);
  declare_model(verb, command.of_model);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

int execute(const Fitting& command, const CommonOptions& options, Console& console) {
  if (!command.of_model.data.data.empty()) return fit_model(command, options, console);
  if (command.of_model.in_place) {
    return report_misuse(console, "`--in-place` is for a model that is fitted with `--data`",
                         "`-o machine.wave` writes a machine");
  }
  const bool machine = analysis::machine_fit::tool_named(command.files.front()).has_value();
  if (machine) return fit_machine(command, options, console);
  return report_misuse(
      console, fmt::format("`{}` is neither a kind of benchmark nor a model with `--data`", command.files.front()),
      "a machine: `wave fit osu|imb|netgauge|csv FILE... -o machine.wave`; a model: `wave fit FILE --data measured.csv "
      "--params ...`");
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
