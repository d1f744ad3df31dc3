// Text to tree. Only this folder knows ANTLR.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

#include <memory>
#include <optional>
#include <vector>

namespace wave::frontend {

// Bounds on what is parsed. Beyond them there is a diagnostic.
struct ParseLimits {
  std::size_t bytes = std::size_t{4} << 20;
  std::size_t nesting = 200;  // brackets, unary operators, `^`, nested blocks
  std::size_t chain = 1000;   // operators in a row: 1 + 1 + 1 + ...
};

// Reports every syntax error that it can tell apart. The module, which is never null, holds what could be understood.
std::unique_ptr<Module> parse_module(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics,
                                     const ParseLimits& limits = {});

// A single expression, as after `-D name=`. Null after an error.
ExprPtr parse_expression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics,
                         const ParseLimits& limits = {});

// Clauses of a study by themselves, as after `--vary` and `--show`: "n=1..1024 by *2", "net.L" (without values);
// "total, exact in ms". Nothing after an error.
std::optional<item::Study::Vary> parse_vary(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics,
                                            const ParseLimits& limits = {});
std::optional<std::vector<item::Study::Show>> parse_show(const Sources& sources, std::uint32_t file,
                                                         Diagnostics& diagnostics, const ParseLimits& limits = {});

// The tree as text, one node a line (`--dump ast`); with types if `typed` (`--dump typed`).
std::string print(const Module& module, bool typed = false);

}  // namespace wave::frontend
