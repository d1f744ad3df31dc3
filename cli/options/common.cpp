// See common.h.
#include "cli/options/common.h"

#include "cli/measures.h"
#include "cli/options/words.h"

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
      ->check(trouble);
}

void add_limits(CLI::App& app, CommonOptions& common, TimeLimit limit) {
  add_amount(app, "--time-limit", common.time_limit_seconds, parse_seconds, "90s",
             fmt::format("Give up after this long: 500ms, 60s, 5min, none (default {})",
                         limit == TimeLimit::none ? "none" : "60s"));
  if (limit == TimeLimit::none) {
    app.parse_complete_callback([&app, &common] {
      if (app.count("--time-limit") == 0) common.time_limit_seconds = std::numeric_limits<double>::infinity();
    });
  }
  add_amount(app, "--memory-limit", common.memory_limit, parse_bytes, "8GiB",
             "Give up rather than use more memory: 500MB, 8GiB (default 8GiB)");
}

}  // namespace wave::cli
