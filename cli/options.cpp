// See options.h.
#include "cli/options.h"

#include "cli/formats/document.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/text.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

namespace wave::cli {
namespace {

const std::map<std::string, ColourChoice> colours{
    {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
const std::map<std::string, DiagnosticFormat> diagnostic_formats{{"text", DiagnosticFormat::text},
                                                                 {"json", DiagnosticFormat::json}};

}  // namespace

DiagnosticFormat wanted_diagnostics(int argc, const char* const* argv) {
  const std::string option = "--diagnostics";
  for (int i = 1; i < argc; ++i) {
    for (const auto& [word, format] : diagnostic_formats) {
      if (argv[i] == option + "=" + word) return format;
      if (argv[i] == option && i + 1 < argc && argv[i + 1] == word) return format;
    }
  }
  return DiagnosticFormat::text;
}

void add_common(CLI::App& app, CommonOptions& common) {
  if (!find_option(app, "--time-limit")) add_limits(app, common, TimeLimit::usual);
  add_choice(app, "--color", common.colour, colours, "Colours (auto: on a terminal, unless NO_COLOR is set)");
  add_choice(app, "--diagnostics", common.diagnostics, diagnostic_formats,
             "Diagnostics on standard error: for people, or one JSON object a line");
}

void add_search(CLI::App& app, CommonOptions& common) {
  const auto trouble = [](const std::string& folder) -> std::string {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) return {};
    return fmt::format("`-I {}` names no folder\nit takes a folder in which modules and data files are looked for",
                       folder);
  };
  add_list(app, "-I", common.search, "DIR", "A further folder for modules and data files (also: WAVE_PATH)")
      .check(trouble);
}

void add_limits(CLI::App& app, CommonOptions& common, TimeLimit limit) {
  const char* usual = limit == TimeLimit::none ? "none" : limit == TimeLimit::brief ? "1s" : "60s";
  const auto given = add_amount(app, "--time-limit", common.time_limit_seconds, parse_seconds, "90s",
                                fmt::format("Give up after this long: 500ms, 60s, 5min, none (default {})", usual));
  // What is given is meant for reading as well: `--time-limit none` takes both away.
  after_reading(app, [given, limit, &common] {
    if (given.is_given())
      common.reading_limit_seconds = std::numeric_limits<double>::infinity();
    else if (limit == TimeLimit::none)
      common.time_limit_seconds = std::numeric_limits<double>::infinity();
    else if (limit == TimeLimit::brief)
      common.time_limit_seconds = 1;
  });
  add_amount(app, "--memory-limit", common.memory_limit, parse_bytes, "8GiB",
             "Give up rather than use more memory: 500MB, 8GiB (default 8GiB)");
}

namespace {

const std::map<std::string, EngineChoice> engines{
    {"interpreter", EngineChoice::interpreter}, {"jit", EngineChoice::jit}, {"auto", EngineChoice::automatic}};
constexpr int most_threads = 1024;

}  // namespace

void add_files(CLI::App& app, std::vector<std::string>& files) {
  add_rest(app, "FILE", files,
           ".wave files, or folders with such files; - reads standard input (default: the project)");
}

void add_model_file(CLI::App& app, std::string& file) {
  add_text(app, "FILE", file, "", "A .wave file, or a module such as std.applications.lu; - reads standard input")
      .required();
}

void add_model_name(CLI::App& app, std::string& model) {
  add_text(app, "--model", model, "NAME", "Which model (default: the only one, or `main`)");
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides, CommonOptions& common) {
  add_list(app, "-D", overrides, "NAME=EXPR",
           "Override a parameter: -D n=8, -D net.L=\"5 us\"; -D @config.json: all that the file has");
  common.given.push_back(&overrides);
}

void add_model(CLI::App& app, ModelChoice& choice, CommonOptions& common) {
  add_model_file(app, choice.file);
  add_model_name(app, choice.model);
  add_overrides(app, choice.overrides, common);
}

void add_engine(CLI::App& app, EngineSettings& engine) {
  add_choice(
      app, "--engine", engine.choice, engines,
      "What is compiled: nothing (interpreter), all that can be (jit), or what is worth it (auto); same results");
  add_whole(app, "--threads", engine.threads, {1, most_threads},
            "How many threads evaluate (default: as many as the machine has); same results",
            "leave it out to use all that the machine has");
  add_text(app, "--cpu", engine.cpu, "NAME",
           "Compile for this processor, by LLVM's name: x86-64-v3, skylake-avx512 (default: this one)");
  add_flag(app, "--no-shortcuts", engine.no_shortcuts,
           "Evaluate every point, even where a proof makes that needless; same results");
  add_flag(app, "--no-cache", engine.no_cache, "Neither use nor keep compiled code of other runs");
}

void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description) {
  add_whole(app, "--seed", seed, {0, UINT64_MAX}, description);
}

void add_sampling(CLI::App& app, analysis::StudySampling& sampling) {
  add_whole(app, "--samples", sampling.samples, {2, analysis::most_drawn},
            "Carry the spread of values such as `23 us ± 1 us` through, with this many samples",
            "a spread takes two samples at least; 1000 are usual");
  add_seed(app, sampling.seed, "Seed of the samples (default 1): the same seed gives the same samples");
}

namespace {

// "3/8".
std::optional<analysis::Shard> parse_shard(const std::string& text) {
  constexpr unsigned most = 1'000'000;
  analysis::Shard shard;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, shard.count);
  const bool is_number = second.ec == std::errc() && second.ptr == end;
  if (!is_number || shard.index < 1 || shard.index > shard.count || shard.count > most) return std::nullopt;
  return shard;
}

}  // namespace

void add_shard(CLI::App& app, std::optional<analysis::Shard>& shard) {
  const auto read = [&shard](const std::string& text) {
    const auto given = parse_shard(text);
    if (!given)
      refuse(fmt::format("`--shard` takes a part and how many there are, not `{}`", text),
             "for example `--shard 3/8`, the third of eight");
    shard = *given;
  };
  add_read(app, "--shard", read, "I/N",
           "Only this part of the points, into a file for `wave merge`: --shard 3/8 --out third.part");
}

Declared add_columns(CLI::App& app, std::string& columns) {
  return add_text(app, "--columns", columns, "CSV",
                  "A CSV file whose first line names parameters, with units: \"n,Wg [us]\"; - reads standard input");
}

void add_study_choice(CLI::App& app, StudyChoice& choice, Points points, CommonOptions& common) {
  add_model_file(app, choice.file);
  add_model_name(app, choice.model);
  if (points == Points::varied) {
    add_list(app, "--vary", choice.vary, "NAME=LIST",
             "Vary a parameter: --vary \"n=1..1024 by *2\" --vary \"mk=[1,5,10]\"; several form a product");
    add_list(app, "--where", choice.where, "EXPR",
             "Only the points at which this holds: --where \"n * m <= 1024\"; of several, all");
    add_text(app, "--study", choice.study, "NAME", "A study of the file (default: the only one)");
  }
  add_list(app, "--show", choice.show, "EXPR,...",
           "What to show: total,speedup=total[n=1]/total (default: all outputs that are single values)");
  add_overrides(app, choice.overrides, common);
  add_engine(app, choice.engine);
}

void add_point_limit(CLI::App& app, double& seconds) {
  add_amount(app, "--point-limit", seconds, parse_seconds, "10s",
             "Give up a point after this long; it then counts as failed (default 60s)");
}

void add_reading(CLI::App& app, analysis::TableReading& reading) {
  static const std::map<std::string, char> points{{".", '.'}, {",", ','}};
  add_choice(app, "--decimal", reading.decimal, points,
             "What decimals begin with in the table: --decimal , (default .)");
  add_flag(app, "--skip-missing", reading.skip_missing,
           "Pass over rows that lack a number: an empty cell, NA, nan or -");
}

void add_measurements(CLI::App& app, Measurements& measurements, bool required) {
  add_text(app, "--data", measurements.data, "FILE",
           "Measured run times: a table with a column for each parameter and one of measurements; CSV, JSON Lines or "
           "Extra-P's text")
      .required(required);
  add_text(
      app, "--measured", measurements.measured, "NAME",
      "The column of measurements, perhaps with the unit it is in: --measured \"wall [ms]\" (default: the only one "
      "that is no parameter)");
  add_list(app, "--ignore", measurements.ignored, "NAME", "A column to pass over");
  add_list(app, "--column", measurements.named, "PARAMETER=NAME",
           "The column of a parameter that it is not named after: --column \"p=MPI ranks\"");
  add_reading(app, measurements.reading);
  // `wave report` has points as well, and says the same about them.
  if (find_option(app, "--where")) return;
  add_list(app, "--where", measurements.where, "EXPR",
           "Only the rows for which this holds: --where \"n * m == 1\"; of several, all");
}

void add_measured_output(CLI::App& app, std::vector<std::string>& show) {
  add_list(app, "--show", show, "EXPR",
           "What of the model was measured: total, 12*exact (default: the output of the column's name, or the only "
           "one)");
}

namespace {

const std::map<std::string, Format>& formats() {
  static const std::map<std::string, Format> words = [] {
    std::map<std::string, Format> all;
    for (const auto* one : Format::all()) all.emplace(one->word, Format(one->word));
    return all;
  }();
  return words;
}

// "csv, json and jsonl".
std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? last : ", ", words[i]);
  return text;
}

}  // namespace

void add_format(CLI::App& app, Format& format) {
  std::vector<std::string> exact;
  for (const auto& [word, one] : formats()) {
    if (!one.is_for_people()) exact.push_back(word);
  }
  add_choice(
      app, "--format", format, formats(),
      fmt::format("How results are written (default {}; {} in full precision)", format->word, listed(exact, " and ")));
}

void add_format(CLI::App& app, std::optional<Format>& format) {
  add_choice(app, "--format", format, formats(),
             fmt::format("How results are written (default: as the file's name ends, else {}; a table on a terminal)",
                         Format(Takes::rows)->word));
}

void add_format_of_points(CLI::App& app, PointForm& form) {
  static const std::map<std::string, std::optional<Format>> words = [] {
    std::map<std::string, std::optional<Format>> all(formats().begin(), formats().end());
    all.emplace("npy", std::nullopt);
    return all;
  }();
  add_choice(app, "--format", form, words,
             fmt::format("How results are written (default: as the file's name ends, else {}; a table on a terminal); "
                         "npy: a folder of columns for numpy",
                         Format(Takes::rows)->word));
}

void choose_folder(std::string& output, PointForm& form) {
  form.as_columns |= !form.format && output.ends_with('/');
  while (form.as_columns && output.size() > 1 && output.ends_with('/')) output.pop_back();
}

Declared add_file(CLI::App& app, const std::string& names, std::string& file, const std::vector<std::string>& endings,
                  const std::string& description, HeldBy held) {
  const std::string option = names.substr(0, names.find(','));
  // What is wrong and, on a second line, how to go on.
  const auto trouble = [&app, option, endings, held](const std::string& path) -> std::string {
    if (path.empty() || path == "-") {
      return fmt::format("`{} {}` names no file\n`{} /dev/stdout` writes to standard output", option,
                         path.empty() ? "''" : path, option);
    }
    const std::string ending = std::filesystem::path(path).extension().string();
    const auto format = find_option(app, "--format");
    const bool is_free = ending.size() < 2 || (held == HeldBy::format && format && format->is_given());
    if (!is_free && std::find(endings.begin(), endings.end(), ending) == endings.end()) {
      std::vector<std::string> quoted;
      for (const auto& one : endings) quoted.push_back("`" + one + "`");
      return fmt::format("`{} {}`: what is written is no `{}` file\nend the name with {}{}", option, path, ending,
                         listed(quoted, " or "),
                         held == HeldBy::format ? "; or `--format` says what the file holds" : "");
    }
    const std::string name = fmt::format("`{} {}`", option, path);
    const std::string other = frontend::written_files().add(path, name);
    return other.empty() ? "" : fmt::format("{} and {} are one file\nname a file for each", other, name);
  };
  return add_text(app, names, file, "FILE", description).check(trouble);
}

std::vector<std::string> endings_of_results() {
  std::vector<std::string> endings;
  for (const auto* one : Format::all()) endings.emplace_back(one->ending);
  return endings;
}

void add_output(CLI::App& app, std::string& output, Format& format) {
  add_file(app, "-o,--out,--output", output, endings_of_results(),
           "Into this file: results.csv, .json (default: standard output)", HeldBy::format)
      .check([&app, &format](const std::string& path) {
        if (!find_option(app, "--format")->is_given()) format = Format::of_file(path).value_or(format);
        return std::string();
      });
}

}  // namespace wave::cli
