// `wave fit`.
#include "cli/options/options.h"

#include <charconv>

namespace wave::cli {
namespace {

constexpr int most_segments = 20;

void add_segments(CLI::App& app, int& segments) {
  const auto set = [&segments](const CLI::results_t& given) {
    const std::string& text = given.front();
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most_segments) {
      throw CLI::ValidationError(fmt::format(
          "`--segments` takes a number from 1 to {}, not `{}`\nleave it away for as many as a criterion finds",
          most_segments, text));
    }
    segments = value;
    return true;
  };
  app.add_option("--segments", set, "How many protocols there are, by size (default: found by a criterion)")
      ->type_name("N")
      ->expected(1)
      ->take_last();
}

void add_confidence(CLI::App& app, double& confidence) {
  const auto set = [&confidence](const CLI::results_t& given) {
    const std::string& text = given.front();
    double value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const char* const last = text.data() + text.size();
    if (error == std::errc() && end + 1 == last && *end == '%') {
      value /= 100;
      ++end;
    }
    if (error != std::errc() || end != last || !(value >= 0.5 && value <= 0.9999)) {
      throw CLI::ValidationError(fmt::format(
          "`--confidence` takes a probability from 0.5 to 0.9999, not `{}`\nfor example `--confidence 0.95`", text));
    }
    confidence = value;
    return true;
  };
  app.add_option("--confidence", set, "How probably an interval holds the true value (default 0.95)")
      ->type_name("P")
      ->expected(1)
      ->take_last();
}

}  // namespace

void declare_fit(CLI::App& app, FitCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("fit", "Fit a machine to benchmarks, or parameters of a model to measurements");
  verb.add_option("FILE", command.files,
                  "osu|imb|netgauge|csv and files of that kind; or a model, for which --data is given")
      ->type_name("")
      ->required();
  add_file(verb, "-o,--out,--output", command.output, {".wave"},
           "Write the machine, or the model with its fitted values, into this file");
  verb.add_option("--name", command.name, "Of the machine (default: after the file)")->type_name("NAME");
  verb.add_option("--protocol", command.protocols,
                  "What the segments are, by size: --protocol eager,eager,rendezvous (default: found)")
      ->type_name("KIND,...");
  add_segments(verb, command.segments);
  verb.add_option("--assume", command.assumptions,
                  "A parameter that the data do not tell from others: --assume o=1.2us, L=..., o_1=...")
      ->type_name("NAME=TIME")
      ->allow_extra_args(false);
  verb.add_option("--processes", command.processes,
                  "Of collective operations, for each file that does not say: --processes 4,8,16")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--operation", command.operation,
                  "Which collective operation a table with commas is of: broadcast, allreduce, ...")
      ->type_name("NAME");
  verb.add_option("--sizes", command.sizes, "Only messages of these sizes: --sizes \"1 KiB..64 KiB\"")
      ->type_name("FROM..TO");
  verb.add_flag("--keep-outliers", command.keep_outliers, "Leave no measurement out, however far off it is");
  add_confidence(verb, command.of_model.confidence);
  add_format(verb, command.of_model.format);
  add_model_fit(verb, command.of_model);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
