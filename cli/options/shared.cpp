// The options that verbs share. See options.h.
#include "cli/measures.h"
#include "cli/options/options.h"

#include <charconv>
#include <cstdint>
#include <limits>

namespace wave::cli {
namespace {

const std::map<std::string, Format> formats{{"table", Format::table}, {"json", Format::json}, {"csv", Format::csv}};
const std::map<std::string, EngineChoice> engines{
    {"interpreter", EngineChoice::interpreter}, {"jit", EngineChoice::jit}, {"auto", EngineChoice::automatic}};
const std::map<std::string, ColourChoice> colours{
    {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
const std::map<std::string, DiagnosticFormat> diagnostic_formats{{"text", DiagnosticFormat::text},
                                                                 {"json", DiagnosticFormat::json}};

constexpr int most_threads = 1024;

template <class Value, class Parse>
void add_measure(CLI::App& app, const std::string& name, Value& target, Parse parse, const std::string& example,
                 const std::string& description) {
  const auto set = [&target, parse, name, example](const CLI::results_t& given) {
    const auto value = parse(given.front());
    if (!value) {
      throw CLI::ValidationError(
          fmt::format("`{}` takes a positive amount with its unit, not `{}`\nfor example `{} {}`", name, given.front(),
                      name, example));
    }
    target = *value;
    return true;
  };
  app.add_option(name, set, description)->type_name("AMOUNT")->expected(1)->take_last();
}

void add_threads(CLI::App& app, int& threads) {
  const auto set = [&threads](const CLI::results_t& given) {
    const std::string& text = given.front();
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most_threads) {
      throw CLI::ValidationError(
          fmt::format("`--threads` takes a number from 1 to {}, not `{}`\nleave it away for all that the machine has",
                      most_threads, text));
    }
    threads = value;
    return true;
  };
  app.add_option("--threads", set, "How many threads evaluate (default: as many as the machine has); same results")
      ->type_name("N")
      ->expected(1)
      ->take_last();
}

}  // namespace

void add_common(CLI::App& app, CommonOptions& common) {
  add_choice(app, "--color", common.colour, colours, "Colours (auto: on a terminal, unless NO_COLOR is set)");
  add_choice(app, "--diagnostics", common.diagnostics, diagnostic_formats,
             "Diagnostics on standard error: for people, or one JSON object a line");
}

void add_limits(CLI::App& app, CommonOptions& common, TimeLimit limit) {
  add_measure(app, "--time-limit", common.time_limit_seconds, parse_seconds, "90s",
              fmt::format("Give up after this long: 500ms, 60s, 5min, none (default {})",
                          limit == TimeLimit::none ? "none" : "60s"));
  if (limit == TimeLimit::none) {
    app.parse_complete_callback([&app, &common] {
      if (app.count("--time-limit") == 0) common.time_limit_seconds = std::numeric_limits<double>::infinity();
    });
  }
  add_measure(app, "--memory-limit", common.memory_limit, parse_bytes, "8GiB",
              "Give up rather than use more memory: 500MB, 8GiB (default 8GiB)");
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("-D", overrides, "Override a parameter: -D n=8, -D net.L=\"5 us\"")
      ->type_name("NAME=EXPR")
      ->allow_extra_args(false);
}

// The options of every verb that evaluates.
void add_engine(CLI::App& app, EngineSettings& engine) {
  add_choice(app, "--engine", engine.choice, engines,
             "What evaluates (auto: the interpreter for small models); same results");
  add_threads(app, engine.threads);
  app.add_option("--cpu", engine.cpu,
                 "Compile for this processor, by LLVM's name: x86-64-v3, skylake-avx512 (default: this one)")
      ->type_name("NAME");
  app.add_flag("--no-shortcuts", engine.no_shortcuts,
               "Evaluate every point, also where a proof makes that needless; same results");
  app.add_flag("--no-cache", engine.no_cache, "Neither use nor keep compiled code of other runs");
}

void add_format(CLI::App& app, Format& format) {
  add_choice(app, "--format", format, formats, "How results are written (json and csv in full precision)");
}

void add_model(CLI::App& app, std::string& file, std::string& model) {
  app.add_option("FILE", file, "A .wave file, or a module such as std.applications.lu; - reads standard input")
      ->type_name("")
      ->required();
  app.add_option("--model", model, "Which model (default: the only one, or `main`)")->type_name("NAME");
}

void add_study_choice(CLI::App& app, StudyChoice& choice, Points points) {
  add_model(app, choice.file, choice.model);
  if (points == Points::varied) {
    app.add_option("--vary", choice.vary,
                   "Vary a parameter: --vary \"n=1..1024 by *2\" --vary \"mk=[1,5,10]\"; several form a product")
        ->type_name("NAME=LIST")
        ->allow_extra_args(false);
    app.add_option("--where", choice.where,
                   "Leave out the points at which this does not hold: --where \"n * m <= 1024\"; of several each")
        ->type_name("EXPR")
        ->allow_extra_args(false);
    app.add_option("--study", choice.study, "A study of the file (default: the only one)")->type_name("NAME");
  }
  app.add_option("--show", choice.show,
                 "What to show: total,speedup=total[n=1]/total (default: all outputs that are single values)")
      ->type_name("EXPR,...")
      ->allow_extra_args(false);
  add_overrides(app, choice.overrides);
  add_engine(app, choice.engine);
}

// A whole number, all of it digits.
static std::optional<std::uint64_t> parse_count(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description) {
  const auto set = [&seed](const CLI::results_t& given) {
    const auto value = parse_count(given.front());
    if (!value)
      throw CLI::ValidationError(
          fmt::format("`--seed` takes a whole number from 0 to 2^64 - 1, not `{}`\n", given.front()));
    seed = *value;
    return true;
  };
  app.add_option("--seed", set, description)->type_name("N")->expected(1)->take_last();
}

void add_samples(CLI::App& app, std::optional<std::size_t>& samples, std::uint64_t& seed) {
  const auto set = [&samples](const CLI::results_t& given) {
    const auto value = parse_count(given.front());
    if (!value || *value < 2 || *value > most_samples) {
      throw CLI::ValidationError(fmt::format(
          "`--samples` takes a number from 2 to {}, not `{}`\na spread takes two samples at least; 1000 are usual",
          most_samples, given.front()));
    }
    samples = static_cast<std::size_t>(*value);
    return true;
  };
  app.add_option("--samples", set, "Carry the spread of values such as `23 us ± 1 us` through, by so many samples")
      ->type_name("N")
      ->expected(1)
      ->take_last();
  add_seed(app, seed, "Of the samples (default 1): the same seed, the same samples");
}

}  // namespace wave::cli
