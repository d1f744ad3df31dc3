// Options that name a file to be written, or a folder. See options.h.
#include "cli/has_ending.h"
#include "cli/options/options.h"

#include <algorithm>
#include <filesystem>

namespace wave::cli {
namespace {

// "`.csv`, `.jsonl` or `.json`".
std::string listed(const std::vector<std::string>& endings) {
  std::string text;
  for (std::size_t i = 0; i < endings.size(); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == endings.size() ? " or " : ", ", endings[i]);
  return text;
}

}  // namespace

void add_file(CLI::App& app, const std::string& names, std::string& file, const std::vector<std::string>& endings,
              const std::string& description, HeldBy held) {
  const std::string option = names.substr(0, names.find(','));
  // What is wrong, and on a second line the way on.
  const auto trouble = [&app, option, endings, held](const std::string& path) -> std::string {
    if (path.empty() || path == "-") {
      return fmt::format("`{} {}` names no file\n`{} /dev/stdout` writes to standard output", option,
                         path.empty() ? "''" : path, option);
    }
    if (held == HeldBy::format && app.count("--format") > 0) return {};
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending.size() < 2 || std::find(endings.begin(), endings.end(), ending) != endings.end()) return {};
    return fmt::format("`{} {}`: what is written is no `{}` file\nend the name with {}{}", option, path, ending,
                       listed(endings), held == HeldBy::format ? "; or `--format` says what the file holds" : "");
  };
  app.add_option(names, file, description)->type_name("FILE")->check(trouble);
}

void add_output(CLI::App& app, std::string& output, Format& format) {
  std::vector<std::string> endings{".csv", ".json"};
  if (format == Format::table) endings.emplace_back(".txt");
  add_file(app, "-o,--out,--output", output, endings, "Into this file: results.csv, .json (default: standard output)",
           HeldBy::format);
  app.final_callback([&output, &format, asked = app.get_option("--format")] {
    if (asked->count() > 0) return;
    if (has_ending(output, ".csv")) format = Format::csv;
    if (has_ending(output, ".json")) format = Format::json;
  });
}

void add_search(CLI::App& app, CommonOptions& common) {
  const auto trouble = [](const std::string& folder) -> std::string {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) return {};
    return fmt::format("`-I {}` names no folder\nit takes a folder in which modules and data files are looked for",
                       folder);
  };
  app.add_option("-I", common.search, "A further folder for modules and data files (also: WAVE_PATH)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->check(trouble);
}

}  // namespace wave::cli
