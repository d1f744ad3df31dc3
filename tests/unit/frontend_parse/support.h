// Helpers for the parser's tests.
#pragma once

#include "frontend/parse/parser.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wave::frontend::test {

// A parsed text, and what was reported for it.
struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<Module> module;

  explicit Parsed(const std::string& text, const ParseLimits& limits = {});
  // "E0112 at `n`": codes and texts of the primary locations, in order, joined by "; ".
  std::string errors() const;
  std::string tree() const { return print(*module); }
};

// The tree of an expression.
std::string expression_tree(const std::string& text);

// Every .wave file below the repository's folders, as name and text, sorted by path.
std::vector<std::pair<std::string, std::string>> all_programs();

}  // namespace wave::frontend::test
