// `wave check`: the errors of files, and by how much overridden costs of machines differ from the derived ones.
#include "cli/file_list.h"
#include "cli/override_report.h"
#include "cli/session.h"
#include "cli/verbs.h"

namespace wave::cli {

int execute(const CheckCommand& command, const CommonOptions& options, Console& console) {
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

}  // namespace wave::cli
