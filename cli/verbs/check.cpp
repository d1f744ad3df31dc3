// `wave check`: the errors of files, and by how much overridden costs of machines differ from the derived ones.
#include "cli/file_list.h"
#include "cli/options/model.h"
#include "cli/options/words.h"
#include "cli/override_report.h"
#include "cli/session.h"
#include "cli/verb.h"

namespace wave::cli {
namespace {

struct Command {
  std::vector<std::string> files;
};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_files(verb, command.files);
  add_search(verb, common);
  add_limits(verb, common);
}

int execute(const Command& command, const CommonOptions& options, Console& console) {
  frontend::Diagnostics diagnostics;
  const auto files = expand_folders(command.files, diagnostics);
  bool clear = console.report({}, diagnostics);
  for (const auto& file : files) {
    Session session(console, options);
    if (!session.load(file)) {
      clear = false;
      continue;
    }
    compare_overridden_costs(session);
    clear = session.settle() && clear;
  }
  return clear ? success : failure;
}

}  // namespace

Verb check_verb() {
  return make_verb<Command>("check", "Report the errors of files without evaluating them",
                            {{"Check a file", "wave check examples/lu/lu.wave"},
                             {"Check every file of a folder", "wave check examples/halo"}},
                            declare, execute);
}

}  // namespace wave::cli
