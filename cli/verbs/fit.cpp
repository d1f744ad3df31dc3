// `wave fit`: the first word decides whether a machine is fitted or a model.
#include "cli/verbs/fit.h"

#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/machine_names.h"
#include "analysis/machine_fit/machine_text.h"
#include "analysis/machine_fit/timings.h"
#include "base/digest.h"
#include "cli/embedded.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/session.h"
#include "cli/studies/fit_reports.h"
#include "cli/text.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace wave::cli {
namespace {

namespace fit = analysis::machine_fit;
using frontend::DiagnosticKind;

// What a command asks for, or why that cannot be.
struct Wrong {
  std::string message, help;
};

std::optional<double> microseconds(const std::string& text) {
  if (text == "0" || text == "0us" || text == "0 us") return 0;
  constexpr double in_a_second = 1e6;
  if (text.size() > 2 && text.compare(text.size() - 2, 2, "ns") == 0) {
    const auto scaled = parse_seconds(text.substr(0, text.size() - 2) + "us");
    return scaled ? std::optional(*scaled * in_a_second / 1000) : std::nullopt;
  }
  const auto seconds = parse_seconds(text);
  if (!seconds || !std::isfinite(*seconds)) return std::nullopt;
  return *seconds * in_a_second;
}

std::optional<Wrong> read_assumptions(const Fitting& command, fit::FitOptions& options) {
  for (const auto& one : command.assumptions) {
    const std::size_t equal = one.find('=');
    const auto value = equal == std::string::npos ? std::nullopt : microseconds(one.substr(equal + 1));
    if (!value)
      return Wrong{fmt::format("`--assume` takes a parameter and a time, not `{}`", one),
                   "for example `--assume o=1.2us`"};
    const std::string name = one.substr(0, equal);
    for (const auto& other : options.assumptions) {
      if (other.name == name) return Wrong{fmt::format("`{}` is assumed twice", name), ""};
    }
    options.assumptions.push_back({name, *value});
  }
  return std::nullopt;
}

std::optional<Wrong> read_protocols(const Fitting& command, fit::FitOptions& options) {
  std::size_t at = 0;
  while (!command.protocols.empty() && at <= command.protocols.size()) {
    const std::size_t comma = std::min(command.protocols.find(',', at), command.protocols.size());
    const std::string word = command.protocols.substr(at, comma - at);
    if (word == "eager")
      options.protocols.push_back(fit::ProtocolKind::eager);
    else if (word == "rendezvous")
      options.protocols.push_back(fit::ProtocolKind::rendezvous);
    else
      return Wrong{fmt::format("`--protocol` takes `eager` and `rendezvous`, not `{}`", word),
                   "one word for each segment: `--protocol eager,eager,rendezvous`"};
    at = comma + 1;
  }
  const auto& kinds = options.protocols;
  if (!kinds.empty() && kinds.front() == fit::ProtocolKind::rendezvous) {
    return Wrong{"the smallest messages cannot be the ones with a handshake", "`--protocol` begins with `eager`"};
  }
  if (!std::is_sorted(kinds.begin(), kinds.end())) {
    return Wrong{"where a handshake has begun, all larger messages have it", "put `eager` before `rendezvous`"};
  }
  constexpr std::size_t most_segments = 20;
  if (kinds.size() > most_segments) return Wrong{fmt::format("there are more than {} segments", most_segments), ""};
  if (!kinds.empty() && command.segments > 0 && static_cast<std::size_t>(command.segments) != kinds.size()) {
    return Wrong{
        fmt::format("`--protocol` names {} segments, and `--segments` says {}", kinds.size(), command.segments), ""};
  }
  if (command.segments > 0) options.segments = static_cast<std::size_t>(command.segments);
  return std::nullopt;
}

std::optional<double> size_of(std::string text) {
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (text == "0" || text == "0 B" || text == "0B") return 0;
  const auto bytes = parse_bytes(text);
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

struct SizeRange {
  double from = 0, to = 0;
};

std::optional<Wrong> read_range(const Fitting& command, std::optional<SizeRange>& range) {
  if (command.sizes.empty()) return std::nullopt;
  const std::size_t dots = command.sizes.find("..");
  const auto from = dots == std::string::npos ? std::nullopt : size_of(command.sizes.substr(0, dots));
  const auto to = dots == std::string::npos ? std::nullopt : size_of(command.sizes.substr(dots + 2));
  if (!from || !to || *from > *to)
    return Wrong{fmt::format("`--sizes` takes a range of sizes, not `{}`", command.sizes),
                 "for example `--sizes \"0 B..64 KiB\"`"};
  range = SizeRange{*from, *to};
  return std::nullopt;
}

std::optional<Wrong> check_name(const std::string& name) {
  if (name.empty() || fit::is_machine_name(name)) return std::nullopt;
  return Wrong{fmt::format("`{}` is no name for a machine", name),
               "it begins with a capital, has letters, digits and `_`, and is no unit"};
}

std::optional<Wrong> read_options(const Fitting& command, fit::FitOptions& options, std::optional<SizeRange>& range) {
  if (command.files.size() < 2) {
    return Wrong{fmt::format("`wave fit {}` without a file", command.files.front()),
                 fmt::format("`wave fit {} FILE... -o machine.wave`", command.files.front())};
  }
  if (!command.processes.empty() && command.processes.size() != command.files.size() - 1) {
    return Wrong{
        fmt::format("`--processes` has {} numbers for {} files", command.processes.size(), command.files.size() - 1),
        "one for each file, in their order"};
  }
  for (const int p : command.processes) {
    if (p < 1) return Wrong{"a number of processes is at least 1", ""};
  }
  for (const auto& level : command.within) {
    if (!fit::level_of_place(level))
      return Wrong{fmt::format("`--within {}`: this is no level that a fit knows", level), fit::help_on_levels()};
  }
  options.probability = command.of_model.confidence;
  options.keep_outliers = command.keep_outliers;
  if (command.of_model.errors == ErrorKind::absolute) options.noise = fit::Noise::constant;
  if (auto wrong = check_name(command.name)) return wrong;
  if (auto wrong = read_assumptions(command, options)) return wrong;
  if (auto wrong = read_protocols(command, options)) return wrong;
  return read_range(command, range);
}

std::string command_text(const Fitting& command) {
  std::string text = "wave fit";
  std::string within;
  for (std::size_t i = 0; i < command.files.size(); ++i) {
    if (i < command.within.size() && command.within[i] != within) {
      within = command.within[i];
      text += " --within " + shell_word(within);
    }
    text += " " + shell_word(command.files[i]);
  }
  if (!command.protocols.empty()) text += " --protocol " + shell_word(command.protocols);
  if (command.segments > 0) text += fmt::format(" --segments {}", command.segments);
  for (const auto& one : command.assumptions) text += " --assume " + shell_word(one);
  if (!command.processes.empty()) text += fmt::format(" --processes {}", fmt::join(command.processes, ","));
  if (command.of_model.errors == ErrorKind::absolute) text += " --errors absolute";
  if (!command.pairs.empty()) text += fmt::format(" --pairs {}", fmt::join(command.pairs, ","));
  if (command.keep_outliers) text += " --keep-outliers";
  if (!command.operation.empty()) text += " --operation " + shell_word(command.operation);
  if (!command.sizes.empty()) text += " --sizes " + shell_word(command.sizes);
  if (command.of_model.confidence != ModelFit().confidence)
    text += fmt::format(" --confidence {}", command.of_model.confidence);
  if (!command.name.empty()) text += " --name " + shell_word(command.name);
  return text + " -o " + shell_word(command.output);
}

void keep_sizes(fit::Timings& timings, const SizeRange& range) {
  for (auto& series : timings.series) {
    if (!series.sized) continue;
    std::erase_if(series.samples,
                  [&](const fit::Sample& sample) { return sample.size < range.from || sample.size > range.to; });
  }
}

std::optional<Wrong> keep_pairs(fit::Timings& timings, const std::vector<int>& wanted) {
  std::set<int> measured;
  for (auto& series : timings.series) {
    for (const fit::Sample& sample : series.samples) measured.insert(sample.pairs);
    std::erase_if(series.samples, [&](const fit::Sample& sample) {
      return std::find(wanted.begin(), wanted.end(), sample.pairs) == wanted.end();
    });
  }
  const auto unknown = std::find_if(wanted.begin(), wanted.end(), [&](int pairs) { return !measured.contains(pairs); });
  if (unknown == wanted.end()) return std::nullopt;
  return Wrong{fmt::format("`--pairs` asks for {}, of which there are no times", *unknown),
               measured.empty() ? "" : fmt::format("there are times of {}", fmt::join(measured, ", "))};
}

// Options that say how messages of one pair are fitted.
std::optional<Wrong> check_options_of_pairs(const Fitting& command) {
  const std::array<std::pair<const char*, bool>, 6> options = {{
      {"--assume", !command.assumptions.empty()},
      {"--protocol", !command.protocols.empty()},
      {"--segments", command.segments > 0},
      {"--keep-outliers", command.keep_outliers},
      {"--errors absolute", command.of_model.errors == ErrorKind::absolute},
      {"--confidence", command.of_model.confidence != ModelFit().confidence},
  }};
  for (const auto& [option, is_given] : options) {
    if (is_given)
      return Wrong{fmt::format("`{}` is for times of one pair, and these are of several pairs or places", option),
                   "leave it out, or fit the files of one pair by themselves"};
  }
  return std::nullopt;
}

fit::Provenance provenance_of(const Fitting& command, fit::Tool tool, const frontend::Sources& sources) {
  fit::Provenance provenance;
  provenance.name = command.name.empty() ? fit::machine_name_of(command.output) : command.name;
  provenance.tool = tool;
  provenance.files.assign(command.files.begin() + 1, command.files.end());
  // What comes after them are options.
  for (std::size_t file = 0; file + 1 < command.files.size(); ++file) {
    provenance.digests.push_back(hexadecimal(digest(sources.text(static_cast<std::uint32_t>(file)))));
  }
  provenance.command = command_text(command);
  provenance.version = version;
  return provenance;
}

int write_machine(const Fitting& command, const CommonOptions& options, Console& console, const std::string& text) {
  // Whoever imports it must be able to rely on it.
  Session check(console, options);
  if (!check.load(command.output, text)) return internal_error;
  return write_result(command.output, text, console);
}

// `wave fit osu|imb|netgauge|nccl|csv FILE...`: a machine from benchmarks.
int fit_machine(const Fitting& command, const CommonOptions& options, Console& console) {
  const fit::Tool tool = *fit::tool_named(command.files.front());
  fit::FitOptions fit_options;
  std::optional<SizeRange> range;
  if (const auto wrong = read_options(command, fit_options, range))
    return report_misuse(console, wrong->message, wrong->help);

  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  fit::Timings timings;
  for (std::size_t i = 1; i < command.files.size(); ++i) {
    auto text = read_text(command.files[i], diagnostics);
    if (!text) continue;
    if (text->size() > most_bytes_of_text) {
      diagnostics.add(DiagnosticKind::unusable_benchmark, {},
                      fmt::format("`{}` is larger than {}", command.files[i], format_bytes(most_bytes_of_text)));
      continue;
    }
    const auto file = sources.add(command.files[i] == "-" ? "<stdin>" : command.files[i], std::move(*text));
    fit::ReadOptions read;
    read.operation = command.operation;
    if (!command.processes.empty()) read.processes = command.processes[i - 1];
    if (i < command.within.size() && !command.within[i].empty()) read.place = fit::level_of_place(command.within[i]);
    fit::read_timings(tool, sources, file, read, timings, diagnostics);
  }
  if (!console.report(sources, diagnostics)) return failure;
  if (range) keep_sizes(timings, *range);
  if (!command.pairs.empty()) {
    if (const auto wrong = keep_pairs(timings, command.pairs))
      return report_misuse(console, wrong->message, wrong->help);
  }
  if (fit::has_interfaces(timings)) {
    if (const auto wrong = check_options_of_pairs(command)) return report_misuse(console, wrong->message, wrong->help);
    const auto text = fit_interfaces(command, timings, provenance_of(command, tool, sources), sources, console);
    if (!text) return failure;
    return command.output.empty() ? success : write_machine(command, options, console, *text);
  }
  diagnostics = {};
  fit::warn_of_populations(timings, tool, sources, diagnostics);
  for (std::size_t i = 0; i < command.assumptions.size(); ++i) {
    const std::string& text = command.assumptions[i];
    fit_options.assumptions[i].location = {sources.add("--assume", text), 0, static_cast<std::uint32_t>(text.size())};
  }
  const auto found = fit::fit_machine(timings, fit_options, diagnostics);
  if (!console.report(sources, diagnostics) || !found) return failure;

  const FitReport report{*found,
                         std::string(fit::name_of(tool)),
                         {command.files.begin() + 1, command.files.end()},
                         timings.remarks,
                         sources};
  console.print(written(document_of(report), command.of_model.format), Printed::data);
  if (command.output.empty()) return success;
  return write_machine(command, options, console, fit::machine_text(*found, provenance_of(command, tool, sources)));
}

using analysis::least_confidence, analysis::most_confidence;
constexpr int most_segments = 20;
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
  add_whole(verb, "--segments", command.segments, {1, most_segments},
            "How many protocols there are, by size (default: found by a criterion)",
            "leave it out to have as many as a criterion finds");
  add_list(verb, "--assume", command.assumptions, "NAME=TIME",
           "A parameter that the data do not tell from others: --assume o=1.2us, L=..., o_1=...");
  add_numbers(verb, "--processes", command.processes,
              "Of collective operations, for each file that does not say: --processes 4,8,16");
  add_to_following(verb, "--within", command.within, "FILE", "LEVEL",
                   "What both ends of each message share, in the files that follow: --within socket FILE --within node "
                   "FILE FILE");
  add_numbers(verb, "--pairs", command.pairs, "Only times that so many pairs took at once: --pairs 1,16");
  add_text(verb, "--operation", command.operation, "NAME",
           "Which collective operation a table with commas is of: broadcast, allreduce, ...");
  add_text(verb, "--sizes", command.sizes, "FROM..TO", "Only messages of these sizes: --sizes \"1 KiB..64 KiB\"");
  add_flag(verb, "--keep-outliers", command.keep_outliers, "Leave no measurement out, however far off it is");
}

void declare_model(CLI::App& verb, ModelFit& fit) {
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
            "From how many points the best is looked for (default 8)");
  add_measured_output(verb, fit.of.show);
  add_overrides(verb, fit.of.overrides);
  add_engine(verb, fit.of.engine);
}

void declare(CLI::App& verb, Fitting& command, CommonOptions& common) {
  add_rest(verb, "FILE", command.files,
           "osu|imb|netgauge|nccl|csv and files of that kind; or a model, for which --data is given")
      .required();
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
  stop_watching();  // there is no model
  if (machine) return fit_machine(command, options, console);
  return report_misuse(
      console, fmt::format("`{}` is neither a kind of benchmark nor a model with `--data`", command.files.front()),
      "a machine: `wave fit osu|imb|netgauge|nccl|csv FILE... -o machine.wave`; a model: `wave fit FILE --data "
      "measured.csv "
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
