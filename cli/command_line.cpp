// The verbs and their options in CLI11's terms. See command_line.h.
#include "cli/command_line.h"

#include "cli/command_line_errors.h"
#include "cli/version.h"
#include "frontend/source/diagnostics.h"

#include <map>

namespace wave::cli {
namespace {

std::string version_text() { return fmt::format("wave {}\n", version); }

constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 an error in the model, or a failed expectation; 2 wrong use; 3 a bug in wave.";

// What stands below the options of a verb.
std::string footer_of(const Verb& verb) {
  std::string text = "Examples:\n";
  for (const auto& [purpose, command] : verb.examples) text += fmt::format("  {}:\n    {}\n", purpose, command);
  return text + "\n" + exit_codes;
}

}  // namespace

std::variant<RequestedVerb, Information, Misuse> parse_command_line(int argc, const char* const* argv) {
  CLI::App app{"Wave predicts how long parallel programs take.", "wave"};
  app.set_help_flag("-h,--help", "Show this");
  app.set_version_flag("--version", version_text());
  app.footer(fmt::format("{}\n`wave VERB --help` says more about a verb, with examples.", exit_codes));
  CommonOptions common;
  std::map<const CLI::App*, Execution> executions;
  for (const Verb& verb : verbs()) {
    auto& declared = *app.add_subcommand(verb.name, verb.summary);
    declared.footer(footer_of(verb));
    executions[&declared] = verb.declare(declared, common);
    add_common(declared, common);
  }
  app.require_subcommand(0, 1);
  const auto misused = [&](Misuse m) {
    m.diagnostics = wanted_diagnostics(argc, argv);
    return m;
  };
  if (argc > 1 && std::string(argv[1]) == "help") {  // `wave help run` is `wave run --help`
    std::vector<const char*> turned(argv, argv + argc);
    turned.erase(turned.begin() + 1);
    turned.push_back("--help");
    return parse_command_line(argc, turned.data());
  }
  if (auto unknown = find_unknown_verb(app, argc, argv)) return misused(*unknown);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Information{app.help()};  // of the verb, where one was named
  } catch (const CLI::CallForVersion&) {
    return Information{version_text()};
  } catch (const CLI::ParseError& error) {
    return misused(explain(app, error));
  }
  if (app.get_subcommands().empty()) {
    return misused({"nothing was asked for",
                    fmt::format("the verbs are {}; `wave --help` says more", fmt::join(verb_names(app), ", "))});
  }
  return RequestedVerb{common, std::move(executions[app.get_subcommands().front()])};
}

}  // namespace wave::cli
