// For every verb, and every kind of question that it takes, a command that works on small files, and inputs that would
// keep it busy for long.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wave::test {

using Words = std::vector<std::string>;
using Files = std::vector<std::pair<std::string, std::string>>;

// The files that the commands name.
Files usual_files();

struct VerbCommand {
  Words words;       // of which the first is the verb
  Words reads;       // which of them, and of what they imply, are files to be read
  std::string last;  // the last stage of a model that it goes through; empty if it reads none
};
std::vector<VerbCommand> verb_commands();

// A model with the declarations of the usual one, and one stage that takes long: "parse", "check", "lower", "evaluate".
struct HeavyModel {
  std::string stage, text;
};
std::vector<HeavyModel> heavy_models();

// What takes a verb long in its own work, or in what it writes.
struct HeavyCommand {
  std::string name;
  Files files;
  Words words;
};
std::vector<HeavyCommand> heavy_commands();

}  // namespace wave::test
