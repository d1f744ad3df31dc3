// See command_line_errors.h.
#include "cli/command_line_errors.h"

#include "cli/has_ending.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

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
  return {owner, near.empty() ? see_help(verb) : fmt::format("did you mean `{}`?", near)};
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

}  // namespace

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

Misuse explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = chosen_verb(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return explain_extra(app);
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return explain_value(error.what());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string what = error.what();
    const std::string name = what.substr(0, what.find(' '));
    return {fmt::format("`wave {}` needs {}", verb != nullptr ? verb->get_name() : "", name), see_help(verb)};
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return explain_mismatch(error.what(), verb);
  return {error.what(), see_help(verb)};
}

std::optional<Misuse> find_unknown_verb(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return std::nullopt;
  const auto names = verb_names(app);
  const std::string given = argv[1];
  if (std::find(names.begin(), names.end(), given) != names.end()) return std::nullopt;
  std::string near = frontend::nearest(given, names);
  const bool looks_like_file = has_ending(given, ".wave");
  if (looks_like_file) near = "run " + given;
  return Misuse{fmt::format("there is no verb `{}`", given),
                near.empty() ? fmt::format("the verbs are {}", fmt::join(names, ", "))
                             : fmt::format("did you mean `wave {}`?", near)};
}

}  // namespace wave::cli
