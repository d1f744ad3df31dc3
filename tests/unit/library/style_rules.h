// The rules of stdlib/STYLE.md that a program can check.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"
#include "style_guide.h"

#include <string>
#include <vector>

namespace wave::library {

// Complaints such as "std.comm: `rounds` has no documentation"; empty where the module follows the guide.
std::vector<std::string> style_findings(const frontend::Sources& sources, const frontend::Module& module,
                                        const StyleGuide& guide);

// The models and machines of a module. Its tests must name each of them.
std::vector<std::string> names_to_test(const frontend::Module& module);

// Whether the text of a test file imports `name` from the module and uses it in a test.
bool is_tested_by(const std::string& test_file, const std::string& module, const std::string& name);

}  // namespace wave::library
