// What a verb of the program is. Each stands in a file of its own in verbs/, with its options, its examples and what it
// does; verbs/registry.def lists them.
#pragma once

#include "cli/console.h"
#include "cli/options.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wave::cli {

// A command line that works from the root of the repository, and what it is for.
struct Example {
  std::string purpose;  // "evaluate a model of the library with another parameter"
  std::string command;  // "wave run std.applications.lu -D n=64"
};

// Does what its command line has asked for. Returns what the program exits with.
using Execution = std::function<int(const CommonOptions&, Console&)>;

struct Verb {
  std::string name;
  std::string summary;  // what it does, in a line
  std::vector<Example> examples;
  // Adds its options to a command line that is to be read, and returns what runs after that.
  std::function<Execution(CLI::App&, CommonOptions&)> declare;
};

// Of a struct that holds its options, a function that declares them, and one that executes.
template <class Command>
Verb make_verb(std::string name, std::string summary, std::vector<Example> examples,
               void (*declare)(CLI::App&, Command&, CommonOptions&),
               int (*execute)(const Command&, const CommonOptions&, Console&)) {
  const auto prepare = [declare, execute](CLI::App& app, CommonOptions& common) -> Execution {
    auto command = std::make_shared<Command>();
    declare(app, *command, common);
    return [command, execute](const CommonOptions& options, Console& console) {
      return execute(*command, options, console);
    };
  };
  return {std::move(name), std::move(summary), std::move(examples), prepare};
}

// All verbs, in the order in which `wave --help` lists them.
const std::vector<Verb>& verbs();

}  // namespace wave::cli
