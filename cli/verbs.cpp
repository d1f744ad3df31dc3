// What verbs share when something is wrong that has no place in a source. See verbs.h.
#include "cli/verbs.h"

namespace wave::cli {

int report_without_place(Console& console, frontend::DiagnosticKind kind, const std::string& message,
                         const std::string& help) {
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(kind, {}, message);
  if (!help.empty()) d.help.push_back(help);
  console.report({}, diagnostics);
  return failure;
}

int report_misuse(Console& console, const std::string& message, const std::string& help) {
  report_without_place(console, frontend::DiagnosticKind::misuse, message, help);
  return misuse;
}

}  // namespace wave::cli
