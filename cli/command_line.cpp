// Declares the verbs and their options in CLI11's terms, and words the errors of command lines that CLI11 cannot read.
// See command_line.h.
#include "cli/command_line.h"

#include "base/text.h"
#include "cli/embedded.h"
#include "cli/text.h"
#include "frontend/source/diagnostics.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace wave::cli {
namespace {

std::string version_text() { return fmt::format("wave {}\n", version); }

constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 an error in the model, or a failed expectation; 2 wrong use; 3 a bug in wave.";

// The text below the options of a verb.
std::string footer_of(const Verb& verb) {
  std::string text = "Examples:\n";
  for (const auto& [purpose, command] : verb.examples) text += fmt::format("  {}:\n    {}\n", purpose, command);
  return text + "\n" + exit_codes;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

const CLI::App* chosen_verb(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? nullptr : verbs.front();
}

std::string see_help(const CLI::App* verb) {
  return fmt::format("`wave {}--help` lists what there is", verb != nullptr ? verb->get_name() + " " : "");
}

// The first argument that CLI11 could not place.
Misuse explain_extra(const CLI::App& app) {
  const CLI::App* verb = chosen_verb(app);
  const auto extras = app.remaining(true);
  const auto option =
      std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.size() > 1 && e[0] == '-'; });
  if (option == extras.end()) {
    return {fmt::format("there is no use for `{}`", extras.empty() ? "" : extras.front()), see_help(verb)};
  }
  const std::string name = option->substr(0, option->find('='));
  const auto known = option_names(verb != nullptr ? *verb : app);
  if (verb != nullptr && std::find(known.begin(), known.end(), name) != known.end()) {
    return {fmt::format("`{}` stands before its verb", name),
            fmt::format("write `wave {} {}`", verb->get_name(), name)};
  }
  const std::string near = frontend::nearest(name, known);
  const std::string owner = verb != nullptr ? fmt::format("`wave {}` has no option `{}`", verb->get_name(), name)
                                            : fmt::format("there is no option `{}`", name);
  return {owner, near.empty() ? see_help(verb) : frontend::did_you_mean({near})};
}

// A message of add_choice, add_measure or add_threads, with its help on the second line.
Misuse explain_value(const std::string& message) {
  const auto line = message.find('\n');
  const auto begin = message.find('`');  // CLI11 puts the option's name in front
  if (line == std::string::npos) return {message, ""};
  return {message.substr(begin, line - begin), message.substr(line + 1)};
}

// "--model: 1 required NAME missing", "--model: At Most 1 required but received 2".
Misuse explain_mismatch(const std::string& message, const CLI::App* verb) {
  const std::string name = message.substr(0, message.find(':'));
  const bool missing = message.find("missing") != std::string::npos;
  return {fmt::format("`{}` {}", name, missing ? "needs a value" : "is given more than once"), see_help(verb)};
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

// Words an error that parsing has thrown.
Misuse explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = chosen_verb(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return explain_extra(app);
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return explain_value(error.what());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string what = error.what();
    const std::string name = what.substr(0, what.find(' '));
    return {fmt::format("`wave {}` needs `{}`", verb != nullptr ? verb->get_name() : "", name), see_help(verb)};
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return explain_mismatch(error.what(), verb);
  return {error.what(), see_help(verb)};
}

// CLI11 reports an unknown verb as a stray argument, which would not help the user.
std::optional<Misuse> find_unknown_verb(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return std::nullopt;
  const auto names = verb_names(app);
  const std::string given = argv[1];
  if (std::find(names.begin(), names.end(), given) != names.end()) return std::nullopt;
  const std::string near = has_ending(given, ".wave") ? "run " + given : frontend::nearest(given, names);
  return Misuse{fmt::format("there is no verb `{}`", given),
                near.empty() ? fmt::format("the verbs are {}", join_texts(names, ", "))
                             : frontend::did_you_mean({"wave " + near})};
}

OptionShape shape_of(const CLI::Option& option) {
  OptionShape shape;
  for (const auto& name : option.get_snames()) shape.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) shape.names.push_back("--" + name);
  if (shape.names.empty()) {
    shape.names.push_back(option.get_name(true));
    shape.is_repeated = option.get_items_expected_max() > 1;
  } else {
    shape.value = option.get_type_name();
  }
  shape.description = option.get_description();
  return shape;
}

// "time_limit" is "--time-limit", "D" is "-D".
std::string option_called(const std::string& name) {
  std::string option = name;
  std::replace(option.begin(), option.end(), '_', '-');
  return (option.size() == 1 ? "-" : "--") + option;
}

bool is_argument(const CLI::Option& option) { return option.get_lnames().empty() && option.get_snames().empty(); }

// "FILE" is given as "file" too. Null: the verb has no such option.
const CLI::Option* find_given(const CLI::App& verb, const std::string& name) {
  for (const CLI::Option* const option : verb.get_options()) {
    std::string argument = option->get_name(true);
    if (!is_argument(*option)) continue;
    std::transform(argument.begin(), argument.end(), argument.begin(), [](unsigned char c) { return std::tolower(c); });
    if (argument == name || option->get_name(true) == name) return option;
  }
  const CLI::Option* const option = verb.get_option_no_throw(option_called(name));
  return option != nullptr && option != verb.get_help_ptr() ? option : nullptr;
}

// The words of a command line, in the order in which they are given. Or what is wrong with one.
std::variant<std::vector<std::string>, Misuse> words_of(const CLI::App& verb, const std::vector<GivenOption>& given) {
  std::vector<std::string> words;
  for (const auto& [name, value] : given) {
    const CLI::Option* const option = find_given(verb, name);
    if (option == nullptr) {
      const auto known = option_names(verb);
      const std::string near = frontend::nearest(option_called(name), known);
      return Misuse{fmt::format("`wave {}` has no option `{}`", verb.get_name(), option_called(name)),
                    near.empty() ? see_help(&verb) : frontend::did_you_mean({near})};
    }
    if (value == "-")
      return Misuse{fmt::format("`{}` is `-`: the library uses no standard input and output", name), "name a file"};
    if (is_argument(*option)) {
      if (value.starts_with("-")) return Misuse{fmt::format("`{}` begins with `-`", value), "`./` before it helps"};
      words.push_back(value);
    } else if (option->get_items_expected_max() > 0 && value.empty()) {
      words.insert(words.end(), {option_called(name), ""});
    } else if (option->get_items_expected_max() > 0) {
      words.push_back(option_called(name) + (name.size() == 1 ? "" : "=") + value);
    } else if (value == "true") {
      words.push_back(option_called(name));
    } else if (value != "false") {
      return Misuse{fmt::format("`{}` is either given or not", option_called(name)), "it takes `true` or `false`"};
    }
  }
  return words;
}

}  // namespace

std::vector<VerbShape> shapes_of_verbs() {
  std::vector<VerbShape> shapes;
  for (const Verb& verb : verbs()) {
    CLI::App app;
    CommonOptions common;
    verb.declare(app, common);
    add_common(app, common);
    VerbShape& shape = shapes.emplace_back(VerbShape{verb.name, verb.summary, {}});
    for (const CLI::Option* const option : app.get_options()) shape.options.push_back(shape_of(*option));
  }
  return shapes;
}

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
    return Information{app.help()};  // that of the verb, if one was named
  } catch (const CLI::CallForVersion&) {
    return Information{version_text()};
  } catch (const CLI::ParseError& error) {
    return misused(explain(app, error));
  }
  if (app.get_subcommands().empty()) {
    return misused({"nothing was asked for",
                    fmt::format("the verbs are {}; `wave --help` says more", join_texts(verb_names(app), ", "))});
  }
  common.verb = app.get_subcommands().front()->get_name();
  return RequestedVerb{common, std::move(executions[app.get_subcommands().front()])};
}

bool has_option(const Verb& verb, const std::string& name) {
  CLI::App app;
  CommonOptions common;
  verb.declare(app, common);
  add_common(app, common);
  return find_given(app, name) != nullptr;
}

std::variant<RequestedVerb, Misuse> parse_question(const Verb& verb, const std::vector<GivenOption>& options) {
  CLI::App app{"", "wave"};
  auto& declared = *app.add_subcommand(verb.name, verb.summary);
  CommonOptions common;
  Execution execution = verb.declare(declared, common);
  add_common(declared, common);
  auto words = words_of(declared, options);
  if (auto* const wrong = std::get_if<Misuse>(&words)) return std::move(*wrong);
  auto& line = std::get<0>(words);
  line.insert(line.begin(), verb.name);
  std::reverse(line.begin(), line.end());  // as CLI11 takes them
  try {
    app.parse(std::move(line));
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  common.verb = verb.name;
  return RequestedVerb{common, std::move(execution)};
}

}  // namespace wave::cli
