// `wave fmt`: rewrite files in the usual layout. A file is replaced in one step or not at all.
#include "cli/files.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/verb.h"
#include "frontend/format/formatter.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

struct FmtCommand {
  std::vector<std::string> files;
  bool check = false;
};

void declare(CLI::App& verb, FmtCommand& command, CommonOptions&) {
  add_files(verb, command.files);
  add_flag(verb, "--check", command.check, "Change nothing; name the files that would change and exit with 1");
}

struct Formatted {
  std::string before, after;
};

// Nothing, reported, where the file cannot be read or understood.
std::optional<Formatted> format_file(const std::string& file, Console& console) {
  frontend::Diagnostics diagnostics;
  frontend::Sources sources;
  std::optional<Formatted> result;
  if (auto text = read_text(nullptr, file, diagnostics)) {
    const auto id = sources.add(file == "-" ? standard_input_name : file, *text);
    if (auto after = frontend::format(sources, id, diagnostics))
      result = Formatted{std::move(*text), std::move(*after)};
  }
  const bool clear = console.report(sources, diagnostics);
  return clear ? result : std::nullopt;
}

bool write_back(const std::string& file, const std::string& text, Console& console) {
  const std::string error = replace_file(file, text);
  if (error.empty()) return true;
  frontend::Diagnostics diagnostics;
  diagnostics.add(frontend::DiagnosticKind::cannot_write, {}, fmt::format("cannot write `{}`: {}", file, error));
  console.report({}, diagnostics);
  return false;
}

int execute(const FmtCommand& command, const CommonOptions&, Console& console) {
  frontend::Diagnostics diagnostics;
  const auto files = expand_folders(command.files, diagnostics);
  int code = console.report({}, diagnostics) ? success : failure;
  for (const auto& file : files) {
    const auto formatted = format_file(file, console);
    if (!formatted) {
      code = failure;
      continue;
    }
    const bool changes = formatted->before != formatted->after;
    if (command.check) {
      if (changes) console.print(file + "\n");
      if (changes) code = failure;
    } else if (file == "-") {
      console.print(formatted->after, Printed::source);
    } else if (changes && !write_back(file, formatted->after, console)) {
      code = failure;
    }
  }
  return code;
}

}  // namespace

Verb fmt_verb() {
  return make_verb<FmtCommand>(
      "fmt", "Rewrite files in the usual layout",
      {{"Lay out a file", "wave fmt examples/halo/halo.wave"},
       {"Name the files of a folder that are laid out differently", "wave fmt --check examples/halo"},
       {"Lay out standard input", "wave fmt - < examples/halo/halo.wave"}},
      declare, execute);
}

}  // namespace wave::cli
