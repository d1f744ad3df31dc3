// Options that several verbs share, in CLI11's terms, and the verbs that have a file of their own here.
#pragma once

#include "cli/commands.h"
#include "frontend/source/diagnostics.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wave::cli {

template <class T>
std::vector<std::string> words_of(const std::map<std::string, T>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  return words;
}

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
      const std::string hint =
          near.empty() ? fmt::format("it takes one of {}", fmt::join(words, ", ")) : "did you mean `" + near + "`?";
      throw CLI::ValidationError(fmt::format("`{}` does not take `{}`\n{}", name, given.front(), hint));
    }
    target = found->second;
    return true;
  };
  return app.add_option(name, set, description)->type_name(listed)->expected(1)->take_last();
}

void add_common(CLI::App& app, CommonOptions& common);
// Time and memory. What goes on for hours by its nature has no limit of time unless one is given.
enum class TimeLimit { usual, none };
void add_limits(CLI::App& app, CommonOptions& common, TimeLimit limit = TimeLimit::usual);
void add_search(CLI::App& app, CommonOptions& common);
void add_overrides(CLI::App& app, std::vector<std::string>& overrides);
void add_engine(CLI::App& app, EngineSettings& engine);
void add_format(CLI::App& app, Format& format);
// A file to be written. What it holds shows in its name: another ending than these is refused, unless --format says
// what it holds. A name without an ending promises nothing.
enum class HeldBy { name, format };
void add_file(CLI::App& app, const std::string& names, std::string& file, const std::vector<std::string>& endings,
              const std::string& description, HeldBy held = HeldBy::name);
// -o, after --format: where that is not given, the end of the file's name says it.
void add_output(CLI::App& app, std::string& output, Format& format);
// --samples and --seed.
void add_samples(CLI::App& app, std::optional<std::size_t>& samples, std::uint64_t& seed);
void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description);
// FILE and --model.
void add_model(CLI::App& app, std::string& file, std::string& model);
// FILE, --model, -D, --show, and how it is evaluated; with --vary and --study unless the verb has its own words for
// them.
enum class Points { varied, otherwise };
void add_study_choice(CLI::App& app, StudyChoice& choice, Points points);
// --data, --measured, --ignore, --where. What is `required` has to be given.
void add_measurements(CLI::App& app, Measurements& measurements, bool required);
// A share between 0 and `most`: 10%, 0.1.
CLI::Option* add_share(CLI::App& app, const std::string& name, const std::function<void(double)>& take, double most,
                       const std::string& description);
// What `wave fit` takes where it fits parameters of a model, FILE apart.
void add_model_fit(CLI::App& app, ModelFit& fit);

// --format of a table of points.
void add_format(CLI::App& app, std::optional<Format>& format);

// --svg, --png, --plot and --draw.
void add_drawing(CLI::App& app, Drawing& drawing);

void declare_sweep(CLI::App& app, SweepCommand& command, CommonOptions& common);
void declare_merge(CLI::App& app, MergeCommand& command, CommonOptions& common);
void declare_fit(CLI::App& app, FitCommand& command, CommonOptions& common);
void declare_validate(CLI::App& app, ValidateCommand& command, CommonOptions& common);
void declare_optimize(CLI::App& app, OptimizeCommand& command, CommonOptions& common);
void declare_find(CLI::App& app, FindCommand& command, CommonOptions& common);
void declare_compare(CLI::App& app, CompareCommand& command, CommonOptions& common);
void declare_diff(CLI::App& app, DiffCommand& command, CommonOptions& common);
void declare_report(CLI::App& app, ReportCommand& command, CommonOptions& common);

}  // namespace wave::cli
