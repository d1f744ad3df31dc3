// What verbs share: where their results go, and how they report what has no place in a source. See verbs.h.
#include "cli/verbs.h"

#include "cli/replace_file.h"

#include <fmt/format.h>

namespace wave::cli {

int report_without_place(Console& console, frontend::DiagnosticKind kind, const std::string& message,
                         const std::string& help) {
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(kind, {}, message);
  if (!help.empty()) d.help.push_back(help);
  console.report({}, diagnostics);
  return failure;
}

int write_result(const std::string& file, const std::string& text, Console& console) {
  if (file.empty()) {
    console.print(text);
    return success;
  }
  const std::string problem = replace_file(file, text);
  if (problem.empty()) return success;
  return report_without_place(console, frontend::DiagnosticKind::cannot_write,
                              fmt::format("`{}` cannot be written", file), problem);
}

int report_misuse(Console& console, const std::string& message, const std::string& help) {
  report_without_place(console, frontend::DiagnosticKind::misuse, message, help);
  return misuse;
}

}  // namespace wave::cli
