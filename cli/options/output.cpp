// See output.h.
#include "cli/options/output.h"

#include "cli/has_ending.h"
#include "cli/options/words.h"
#include "frontend/source/written_files.h"

#include <algorithm>
#include <filesystem>

namespace wave::cli {
namespace {

const std::map<std::string, Format> formats{{"table", Format::table}, {"json", Format::json}, {"csv", Format::csv}};
const std::map<std::string, Format> formats_of_points{
    {"table", Format::table}, {"csv", Format::csv}, {"jsonl", Format::jsonl}, {"json", Format::json}};

// "`.csv`, `.jsonl` or `.json`".
std::string listed(const std::vector<std::string>& endings) {
  std::string text;
  for (std::size_t i = 0; i < endings.size(); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == endings.size() ? " or " : ", ", endings[i]);
  return text;
}

}  // namespace

void add_format(CLI::App& app, Format& format) {
  add_choice(app, "--format", format, formats, "How results are written (json and csv in full precision)");
}

void add_format(CLI::App& app, std::optional<Format>& format) {
  add_choice(app, "--format", format, formats_of_points,
             "How results are written (default: as the file's name ends, else csv; a table on a terminal)");
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
      return fmt::format("`{} {}`: what is written is no `{}` file\nend the name with {}{}", option, path, ending,
                         listed(endings), held == HeldBy::format ? "; or `--format` says what the file holds" : "");
    }
    const std::string name = fmt::format("`{} {}`", option, path);
    const std::string other = frontend::written_files().add(path, name);
    return other.empty() ? "" : fmt::format("{} and {} are one file\nname a file for each", other, name);
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

}  // namespace wave::cli
