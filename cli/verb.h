// A verb of the program. Each has a file of its own in verbs/, with its options, its examples and what it does.
// verbs/registry.def lists them.
#pragma once

#include "cli/console.h"
#include "cli/given_files.h"
#include "cli/options.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wave::cli {

// A command line that works in the root of the repository, and its purpose.
struct Example {
  std::string purpose;  // "evaluate a model of the library with another parameter"
  std::string command;  // "wave run std.applications.lu -D n=64"
};

// Does what the command line asks for, and returns the exit code.
using Execution = std::function<int(const CommonOptions&, Console&)>;

struct Verb {
  std::string name;
  std::string summary;  // what the verb does, in a line
  std::vector<Example> examples;
  // Adds its options to a command line that is to be read, and returns the function that runs after that.
  std::function<Execution(CLI::App&, CommonOptions&)> declare;
  bool answers = false;  // with tables or a text, to whoever asks through the library as well
};

// Made from a struct that holds the options, a function that declares them, and a function that executes.
template <class Command>
Verb make_verb(std::string name, std::string summary, std::vector<Example> examples,
               void (*declare)(CLI::App&, Command&, CommonOptions&),
               int (*execute)(const Command&, const CommonOptions&, Console&)) {
  const auto prepare = [declare, execute](CLI::App& app, CommonOptions& common) -> Execution {
    auto command = std::make_shared<Command>();
    common.given.clear();  // of another verb
    declare(app, *command, common);
    return [command, execute, given = common.given](CommonOptions options, Console& console) {
      options.given = given;
      const int code = read_given_files(options, console);
      return code == success ? execute(*command, options, console) : code;
    };
  };
  return {std::move(name), std::move(summary), std::move(examples), prepare};
}

// All verbs, in the order in which `wave --help` lists them.
const std::vector<Verb>& verbs();

}  // namespace wave::cli
