// Loads texts for the tests of this folder.
#include "tests/unit/frontend_check/checked.h"

namespace wave::frontend {

Checked check_text(const std::string& text) {
  Checked checked;
  checked.program = load("<test>", {}, checked.diagnostics, &text);
  return checked;
}

std::vector<std::string> found_in(const Checked& checked) {
  std::vector<std::string> found;
  for (const Diagnostic& d : checked.diagnostics.sorted()) {
    std::string line(code_of(d.kind));
    if (!d.labels.empty()) line += " " + std::string(checked.program->sources.text(d.labels.front().location));
    found.push_back(line);
  }
  return found;
}

std::vector<std::string> found_in(const std::string& text) { return found_in(check_text(text)); }

std::vector<std::string> found_in_model(const std::string& members) {
  return found_in("import std.machines.ibm_sp2 { SP2 }\nimport std.comm { Machine }\nmodel M {\n" + members + "\n}\n");
}

std::vector<std::string> found_in_process(const std::string& statements) {
  return found_in_model("param net: Machine = SP2()\ngrid P[i: 4, j: 4]\nprocess p on P using net {\n" + statements +
                        "\n}");
}

std::string type_of(const std::string& expression, const std::string& before) {
  const Checked checked = check_text(before + "\nlet x = " + expression + "\n");
  if (checked.diagnostics.has_errors()) return found_in(checked).front();
  const auto& item = checked.program->main().items.back();
  return to_string(*std::get<item::Let>(item->node).checked_type);
}

}  // namespace wave::frontend
