// See output.h.
#include "cli/options/output.h"

#include "cli/has_ending.h"
#include "cli/options/words.h"
#include "frontend/source/written_files.h"

#include <algorithm>
#include <filesystem>

namespace wave::cli {
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

void add_file(CLI::App& app, const std::string& names, std::string& file, const std::vector<std::string>& endings,
              const std::string& description, HeldBy held) {
  const std::string option = names.substr(0, names.find(','));
  // What is wrong, and on a second line the way on.
  const auto trouble = [&app, option, endings, held](const std::string& path) -> std::string {
    if (path.empty() || path == "-") {
      return fmt::format("`{} {}` names no file\n`{} /dev/stdout` writes to standard output", option,
                         path.empty() ? "''" : path, option);
    }
    const std::string ending = std::filesystem::path(path).extension().string();
    const bool promises = ending.size() >= 2 && !(held == HeldBy::format && app.count("--format") > 0);
    if (promises && std::find(endings.begin(), endings.end(), ending) == endings.end()) {
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
  app.add_option(names, file, description)->type_name("FILE")->check(trouble);
}

std::vector<std::string> endings_of_results() {
  std::vector<std::string> endings;
  for (const auto* one : Format::all()) endings.emplace_back(one->ending);
  return endings;
}

void add_output(CLI::App& app, std::string& output, Format& format) {
  add_file(app, "-o,--out,--output", output, endings_of_results(),
           "Into this file: results.csv, .json (default: standard output)", HeldBy::format);
  app.final_callback([&output, &format, asked = app.get_option("--format")] {
    if (asked->count() == 0) format = Format::of_file(output).value_or(format);
  });
}

}  // namespace wave::cli
