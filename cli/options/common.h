// The options of every verb, and those of every verb that reads programs: where modules are looked for, and what a run
// may take. CLI11 is only known to what declares options.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wave::cli {

enum class ColourChoice { automatic, always, never };
enum class DiagnosticFormat { text, json };

inline constexpr double default_time_limit_seconds = 60;
inline constexpr std::size_t default_memory_limit = std::size_t{8} << 30;

struct CommonOptions {
  ColourChoice colour = ColourChoice::automatic;
  DiagnosticFormat diagnostics = DiagnosticFormat::text;
  std::vector<std::string> search;                         // -I
  double time_limit_seconds = default_time_limit_seconds;  // infinite: none
  std::size_t memory_limit = default_memory_limit;
};

// --color and --diagnostics: every verb has them without asking.
void add_common(CLI::App& app, CommonOptions& common);
// What --diagnostics asks for, of a command line that cannot be read.
DiagnosticFormat wanted_diagnostics(int argc, const char* const* argv);
// -I.
void add_search(CLI::App& app, CommonOptions& common);
// --time-limit and --memory-limit. A verb that runs for hours by its nature has no limit of time unless one is given.
enum class TimeLimit { usual, none };
void add_limits(CLI::App& app, CommonOptions& common, TimeLimit limit = TimeLimit::usual);

}  // namespace wave::cli
