// `wave lock`: writes down what the dependencies of a project are now, so that a change is noticed.
#include "cli/files.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "frontend/project/project.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

struct LockCommand {};

void declare(CLI::App&, LockCommand&, CommonOptions&) {}

int execute(const LockCommand&, const CommonOptions&, Console& console) {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const auto project = frontend::Project::find(".", sources, diagnostics, frontend::Lock::ignored);
  if (project == nullptr) {
    if (!diagnostics.has_errors()) {
      diagnostics.add(DiagnosticKind::misuse, {}, "this folder belongs to no project")
          .help.push_back("`wave new` makes one");
    }
    console.report(sources, diagnostics);
    return failure;
  }
  const auto locked = project->locked(diagnostics);
  if (locked) {
    const std::string error = replace_file(project->lock_path(), write_lock(*locked));
    if (!error.empty())
      diagnostics.add(DiagnosticKind::cannot_write, {},
                      fmt::format("cannot write `{}`: {}", project->lock_path(), error));
    for (const auto& one : *locked) console.print(fmt::format("{} {}\n", one.name, one.version));
    if (locked->empty()) console.print("there are no dependencies\n");
  }
  return console.report(sources, diagnostics) ? success : failure;
}

}  // namespace

Verb lock_verb() {
  return make_verb<LockCommand>(
      "lock", "Write down what the dependencies of the project are now",
      {{"Accept the dependencies of a project as they are", "wave new stencils && cd stencils && wave lock"},
       {"See what is written down", "wave new rings && cd rings && wave lock && ls"}},
      declare, execute);
}

}  // namespace wave::cli
