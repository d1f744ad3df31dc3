// A program made from a text, and the diagnostics for it.
#pragma once

#include "frontend/check/program.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::frontend {

struct Checked {
  std::unique_ptr<Program> program;
  Diagnostics diagnostics;
};

Checked check_text(const std::string& text);

// The code and the underlined text of each diagnostic, in the order of the text: "E0201 wdth".
std::vector<std::string> found_in(const std::string& text);
std::vector<std::string> found_in(const Checked& checked);

// The same for the body of a model, or for a whole module with the SP/2 in scope.
std::vector<std::string> found_in_model(const std::string& members);
std::vector<std::string> found_in_process(const std::string& statements);

// The type of `let x = expression`, written as a user would write it.
std::string type_of(const std::string& expression, const std::string& before = "");

using Found = std::vector<std::string>;

}  // namespace wave::frontend
